/*
 * Why a sign-in through an identity provider failed: the values of `problem` in the URL of the sign-in
 * page, with their messages.
 */

export const signInProblems = {
  unknown_address: 'Single sign-on is not set up for this e-mail address.',
  expired:
    'This sign-in has expired, was already used, or was started in another browser. Try again.',
  changed: 'The single sign-on configuration of your organization has changed. Try again.',
  refused: 'The identity provider did not sign you in.',
  invalid_response: 'The response of the identity provider cannot be trusted.',
  unreachable: 'The identity provider cannot be reached.',
  no_address: 'The identity provider did not send a verified e-mail address.',
  outside_domains: 'This e-mail address is outside the domains of your organization.',
  not_linked:
    'There is already an account with this e-mail address. Enter its password once to link it to the identity provider.',
  another_person: 'The identity provider signed in another person.',
  access_required: 'This e-mail address is not approved for this service.',
  sso_required: 'Your organization signs in through another identity provider.',
  disabled: 'This account is disabled.',
  unavailable: 'The service is busy. Try again in a moment.',
  unexpected: 'An unexpected error occurred.',
} as const satisfies Readonly<Record<string, string>>

export type SignInProblem = keyof typeof signInProblems

/** The address of the sign-in page that shows the problem and opens `next` after the next attempt. */
export function signInPageWith(problem: SignInProblem, next = '/'): string {
  const page = `/sign-in?problem=${problem}`
  return next === '/' ? page : `${page}&next=${encodeURIComponent(next)}`
}
