import { definePage } from '@assay/account/routes/define-page.ts'
import { nextSearch } from '@assay/account/sign-in/next-path.ts'
import { root, signedOut } from './signed-in.ts'

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

const startTransfer = definePage({
  parent: root,
  path: '/session-transfer/start',
  title: 'Continue from Assay',
  search: nextSearch,
  load: () =>
    import('../pages/session-transfer/StartTransferPage.tsx').then(
      (file) => file.StartTransferPage,
    ),
})

const redeemTransfer = definePage({
  parent: root,
  path: '/session-transfer/redeem',
  title: 'Sign-in from Assay',
  load: () =>
    import('../pages/session-transfer/RedeemTransferPage.tsx').then(
      (file) => file.RedeemTransferPage,
    ),
})

export const publicRoutes = [
  signedOut.addChildren([signIn]),
  startTransfer,
  redeemTransfer,
] as const
