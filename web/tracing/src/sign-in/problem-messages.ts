import { type SignInProblem, signInProblems } from '@assay/contract/sign-in-problems.ts'

/*
 * Why single sign-on failed, and what to do: for people who sign in, and for those who test the
 * configuration.
 */

export interface ProblemMessage {
  readonly what: string
  readonly next: string
}

export function toProblemMessage(problem: SignInProblem): ProblemMessage {
  return { what: signInProblems[problem], next: steps[problem] }
}

const steps = {
  unknown_address: 'Sign in with your password, or check the address for typos.',
  expired: 'Enter your address below to start over in this window.',
  changed: 'Enter your address below to start over.',
  refused:
    'You may not have access to this application there. Ask the administrator of your identity provider.',
  invalid_response:
    'Try again. If it keeps failing, contact the person who configured single sign-on: the service log has the details.',
  unreachable:
    'Try again in a moment. If it keeps failing, ask the administrator of your identity provider.',
  no_address:
    'Ask the administrator of your identity provider to verify and send your e-mail address.',
  outside_domains:
    'You may be signed in there with another address. Choose your work account and try again.',
  not_linked: 'Enter its password below.',
  another_person: 'Sign out at the identity provider, then try again with your own account.',
  access_required: 'Ask a super admin to approve it or its domain.',
  sso_required: 'Enter your address below to use single sign-on.',
  disabled: 'Ask a super admin.',
  unavailable: 'Enter your address below to start over.',
  unexpected:
    'Try again. If it keeps failing, contact the operator of the service: its log has the details.',
} as const satisfies Readonly<Record<SignInProblem, string>>

/** Variants for those who test and can change the configuration. */
export function toTestProblemMessage(problem: SignInProblem): ProblemMessage {
  return { what: signInProblems[problem], next: testSteps[problem] ?? steps[problem] }
}

const testSteps: Readonly<Partial<Record<SignInProblem, string>>> = {
  expired: 'Start the test again, and come back within ten minutes in the same browser.',
  changed: 'The configuration changed in the meantime. Test it again.',
  refused: 'Is your account assigned to the application at the provider?',
  invalid_response:
    'Compare issuer, client and secret, or entity ID and certificate, with what the provider shows. The service log names the failed check.',
  unreachable: 'Compare the issuer with what the provider shows. Can this server reach it?',
  no_address:
    'Have the provider send the e-mail address (OpenID Connect: email and email_verified; SAML: as name ID).',
  outside_domains:
    'The returned address belongs to none of the verified domains. Add and verify its domain, or use another account.',
  another_person: 'Sign in there with the same account as here, then test again.',
  not_linked: 'Sign in there with the same account as here, then test again.',
  unavailable: 'Test again in a moment.',
}
