import { searchSchema } from '@assay/account/routes/search-schema.ts'
import { nextPath } from '@assay/account/sign-in/next-path.ts'

export const signInSearch = searchSchema({ next: nextPath })
