import { type SignInProblem, signInProblems } from '@assay/contract/sign-in-problems.ts'
import { z } from 'zod'

/** Why single sign-on failed, as a URL search parameter. */
export const signInProblem = z.enum(Object.keys(signInProblems) as SignInProblem[])
