import { oneOf } from '@assay/account/routes/search-fields.ts'
import { signInProblems as messages, type SignInProblem } from '@assay/contract/sign-in-problems.ts'

export const signInProblems = Object.keys(messages) as SignInProblem[]

/** Why single sign-on failed, as a URL search parameter. */
export const signInProblem = oneOf(signInProblems)
