import { searchSchema } from '@assay/account/routes/search-schema.ts'
import { nextPath } from '@assay/account/sign-in/next-path.ts'
import { signInProblem } from '../../sign-in/sign-in-problem.ts'

export const signInSearch = searchSchema({
  next: nextPath,
  /** Why single sign-on failed. */
  problem: signInProblem,
})
