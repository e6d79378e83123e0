import { searchSchema } from '@assay/account/routes/search-schema.ts'
import { z } from 'zod'
import { signInProblem } from '../../sign-in/sign-in-problem.ts'

export const ssoSearch = searchSchema({
  /** The result of a test sign-in that has just returned. */
  sso_test: z.literal('ok').or(signInProblem),
})
