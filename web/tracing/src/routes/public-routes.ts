import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { parseNextPath } from '../pages/sign-in/next-path.ts'
import { parseSignInSearch } from '../pages/sign-in/sign-in-search.ts'
import { parseTextParam } from '../search-params.ts'
import { root } from './signed-in.ts'

/*
 * The pages for whoever has no session yet.
 */

const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  validateSearch: (search): { token?: string } => {
    const token = parseTextParam(search, 'token')
    return token === undefined ? {} : { token }
  },
  component: lazyRouteComponent(() => import('../pages/setup/SetupPage.tsx'), 'SetupPage'),
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: parseSignInSearch,
  component: lazyRouteComponent(() => import('../pages/sign-in/SignInPage.tsx'), 'SignInPage'),
})

const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  validateSearch: (search): { next?: string } => {
    const next = parseNextPath(search['next'])
    return next === undefined ? {} : { next }
  },
  component: lazyRouteComponent(() => import('../pages/sign-up/SignUpPage.tsx'), 'SignUpPage'),
})

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: lazyRouteComponent(
    () => import('../pages/password/ForgotPasswordPage.tsx'),
    'ForgotPasswordPage',
  ),
})

const choosePassword = createRoute({
  getParentRoute: () => root,
  path: '/choose-password',
  component: lazyRouteComponent(
    () => import('../pages/password/ChoosePasswordPage.tsx'),
    'ChoosePasswordPage',
  ),
})

const acceptInvite = createRoute({
  getParentRoute: () => root,
  path: '/accept-invite',
  component: lazyRouteComponent(
    () => import('../pages/invite/AcceptInvitePage.tsx'),
    'AcceptInvitePage',
  ),
})

const redeemTransfer = createRoute({
  getParentRoute: () => root,
  path: '/session-transfer/redeem',
  component: lazyRouteComponent(
    () => import('../pages/session-transfer/RedeemTransferPage.tsx'),
    'RedeemTransferPage',
  ),
})

export const publicRoutes = [
  setup,
  signIn,
  signUp,
  forgotPassword,
  choosePassword,
  acceptInvite,
  redeemTransfer,
] as const
