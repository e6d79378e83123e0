import type { SignInProblem } from '@assay/contract/sign-in-problems.ts'

/** A sign-in through an identity provider that goes no further. */
export class SignInRefused extends Error {
  readonly problem: SignInProblem

  /** `reason` is for the log: what was wrong, without what was said. */
  constructor(problem: SignInProblem, reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.name = 'SignInRefused'
    this.problem = problem
  }
}

/** What an identity provider says of somebody, once it is clear that it was the provider who said it. */
export interface AssertedIdentity {
  readonly issuer: string
  readonly subject: string
  readonly email: string
  readonly name: string | null
}
