import type { SignInProblem } from '@assay/contract/sign-in-problems.ts'

/** A sign-in through an identity provider was refused. */
export class SignInRefused extends Error {
  readonly problem: SignInProblem

  /** `reason` is for the log: what was wrong, without values of the provider. */
  constructor(problem: SignInProblem, reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.name = 'SignInRefused'
    this.problem = problem
  }
}

/** An identity from a verified response of an identity provider. */
export interface AssertedIdentity {
  readonly issuer: string
  readonly subject: string
  readonly email: string
  readonly name: string | null
}
