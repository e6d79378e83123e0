import { oneOf } from '@assay/account/routes/search-fields.ts'
import { searchSchema } from '@assay/account/routes/search-schema.ts'
import { signInProblems } from '../../sign-in/sign-in-problem.ts'

export const ssoSearch = searchSchema({
  /** The result of a test sign-in that has just returned. */
  sso_test: oneOf(['ok', ...signInProblems]),
})
