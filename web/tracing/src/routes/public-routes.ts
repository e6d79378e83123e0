import { setupQuery } from '@assay/account/api/session.ts'
import { definePage } from '@assay/account/routes/define-page.ts'
import { root } from '@assay/account/routes/root-route.ts'
import { text } from '@assay/account/routes/search-fields.ts'
import { searchSchema } from '@assay/account/routes/search-schema.ts'
import { productLink } from '@assay/account/session-transfer/transfer-links.ts'
import {
  redeemTransferRoute,
  startTransferRoute,
} from '@assay/account/session-transfer/transfer-routes.tsx'
import { nextSearch } from '@assay/account/sign-in/next-path.ts'
import { createRoute, redirect } from '@tanstack/react-router'
import { signInSearch } from '../pages/sign-in/sign-in-search.ts'
import { signedOut } from './signed-in.ts'

/*
 * The pages without a session.
 */

const setup = definePage({
  parent: root,
  path: '/setup',
  title: 'Setup',
  search: searchSchema({ token: text }),
  load: () => import('../pages/setup/SetupPage.tsx').then((file) => file.SetupPage),
})

const signIn = definePage({
  parent: signedOut,
  path: '/sign-in',
  title: 'Sign in',
  search: signInSearch,
  load: () => import('../pages/sign-in/SignInPage.tsx').then((file) => file.SignInPage),
})

const signUp = definePage({
  parent: signedOut,
  path: '/sign-up',
  title: 'Create an account',
  search: nextSearch,
  load: () => import('../pages/sign-up/SignUpPage.tsx').then((file) => file.SignUpPage),
})

const forgotPassword = definePage({
  parent: root,
  path: '/forgot-password',
  title: 'Forgot password',
  search: nextSearch,
  load: () =>
    import('../pages/password/ForgotPasswordPage.tsx').then((file) => file.ForgotPasswordPage),
})

const choosePassword = definePage({
  parent: root,
  path: '/choose-password',
  title: 'New password',
  search: nextSearch,
  load: () =>
    import('../pages/password/ChoosePasswordPage.tsx').then((file) => file.ChoosePasswordPage),
})

const acceptInvite = definePage({
  parent: root,
  path: '/accept-invite',
  title: 'Invite',
  load: () => import('../pages/invite/AcceptInvitePage.tsx').then((file) => file.AcceptInvitePage),
})

/** Leads to a page of the chat app, with the session of this one. */
const openChat = createRoute({
  getParentRoute: () => root,
  path: '/open-chat',
  beforeLoad: async ({ context: { queryClient }, search }) => {
    const { next = '/' } = nextSearch.parse(search)
    const { products } = await queryClient.query(setupQuery)
    throw redirect({ href: productLink(products.chat, next), replace: true })
  },
})

export const publicRoutes = [
  setup,
  signedOut.addChildren([signIn, signUp]),
  forgotPassword,
  choosePassword,
  acceptInvite,
  openChat,
  startTransferRoute(root, 'Assay Chat'),
  redeemTransferRoute(root, 'Assay Chat'),
] as const
