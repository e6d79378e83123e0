/*
 * Why a sign-in through an identity provider led back to the sign-in page: the value of `problem` in its address,
 * and what it means to the person who reads it.
 */

export const signInProblems = {
  unknown_address: 'Single sign-on is not set up for this e-mail address.',
  expired:
    'This sign-in was started too long ago, in another browser, or has been used. Try again.',
  changed: 'The single sign-on of your organization was changed in the meantime. Try again.',
  refused: 'The identity provider did not sign you in.',
  invalid_response: 'The answer of the identity provider cannot be trusted.',
  unreachable: 'The identity provider cannot be reached.',
  no_address: 'The identity provider did not tell a confirmed e-mail address.',
  outside_domains: 'This e-mail address is outside the domains of your organization.',
  not_linked:
    'There is an account with this e-mail address already. Enter its password once to connect it to the identity provider.',
  another_person: 'The identity provider signed in somebody else than you.',
  access_required: 'This e-mail address is not approved for this service.',
  sso_required: 'Your organization signs in through another identity provider.',
  disabled: 'This account is disabled.',
  unavailable: 'The service is busy. Try again in a moment.',
  unexpected: 'An unexpected error occurred.',
} as const satisfies Readonly<Record<string, string>>

export type SignInProblem = keyof typeof signInProblems

/** The address of the sign-in page that shows the problem. */
export function signInPageWith(problem: SignInProblem): string {
  return `/sign-in?problem=${problem}`
}
