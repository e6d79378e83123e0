import { definePage } from '@assay/account/routes/define-page.ts'
import { root } from '@assay/account/routes/root-route.ts'
import {
  redeemTransferRoute,
  startTransferRoute,
} from '@assay/account/session-transfer/transfer-routes.tsx'
import { nextSearch } from '@assay/account/sign-in/next-path.ts'
import { signedOut } from './signed-in.ts'

/*
 * The pages without a session.
 */

const signIn = definePage({
  parent: signedOut,
  path: '/sign-in',
  title: 'Sign in',
  search: nextSearch,
  load: () => import('../pages/sign-in/SignInPage.tsx').then((file) => file.SignInPage),
})

export const publicRoutes = [
  signedOut.addChildren([signIn]),
  startTransferRoute(root, 'Assay'),
  redeemTransferRoute(root, 'Assay'),
] as const
