import { type SignInProblem, signInProblems } from '@assay/contract/sign-in-problems.ts'

/*
 * Why a way through an identity provider ended, and what to do about it: for the person who wanted in, and for
 * whoever tests the configuration.
 */

export interface ProblemMessage {
  readonly what: string
  readonly next: string
}

export function toProblemMessage(problem: SignInProblem): ProblemMessage {
  return { what: signInProblems[problem], next: steps[problem] }
}

const steps = {
  unknown_address: 'Sign in with your password, or check the address for a typing error.',
  expired: 'Enter your address below to begin anew, in this window.',
  changed: 'Enter your address below to begin anew.',
  refused:
    'Perhaps you have no access to this application there. Ask whoever runs your identity provider.',
  invalid_response:
    'Try once more. If it stays, tell whoever set single sign-on up: the log of the service says what was wrong.',
  unreachable: 'Try again in a moment. If it stays, ask whoever runs your identity provider.',
  no_address: 'Ask whoever runs your identity provider to confirm and send your e-mail address.',
  outside_domains:
    'Perhaps you are signed in there with another address: choose your work account and try again.',
  not_linked: 'Enter its password below.',
  another_person: 'Sign out at the identity provider, then try again with your own account.',
  access_required: 'Ask a super admin of this service to approve it, or its domain.',
  sso_required: 'Enter your address below: you are led to the right one.',
  disabled: 'Ask a super admin of this service.',
  unavailable: 'Enter your address below to begin anew.',
  unexpected:
    'Try again. If it stays, tell whoever runs the service: its log says what went wrong.',
} as const satisfies Readonly<Record<SignInProblem, string>>

/** The same for whoever tests, who can look into the configuration and the provider. */
export function toTestProblemMessage(problem: SignInProblem): ProblemMessage {
  return { what: signInProblems[problem], next: testSteps[problem] ?? steps[problem] }
}

const testSteps: Readonly<Partial<Record<SignInProblem, string>>> = {
  expired: 'Start the test again, and come back within ten minutes in the same browser.',
  changed: 'The configuration was changed while you were away. Test it as it is now.',
  refused: 'Is your account assigned to the application at the provider?',
  invalid_response:
    'Compare issuer, client and secret, or entity id and certificate, with what the provider shows. The log of the service names the check that failed.',
  unreachable: 'Compare the issuer with what the provider shows. Can this server reach it?',
  no_address:
    'Have the provider send the e-mail address (OpenID Connect: email and email_verified; SAML: as name id).',
  outside_domains:
    'The address that came back is of none of the verified domains. Add and verify its domain, or use another account.',
  another_person: 'Sign in there as the person you are here, then test again.',
  not_linked: 'Sign in there as the person you are here, then test again.',
  unavailable: 'Test again in a moment.',
}
