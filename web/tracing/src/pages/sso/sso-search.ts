import { type SignInProblem, signInProblems } from '@assay/contract/sign-in-problems.ts'

export interface SsoSearch {
  /** The result of a test sign-in that has just returned. */
  readonly sso_test?: 'ok' | SignInProblem
}

export function parseSsoSearch(search: Readonly<Record<string, unknown>>): SsoSearch {
  const { sso_test: outcome } = search
  return outcome === 'ok' || isProblem(outcome) ? { sso_test: outcome } : {}
}

export function isProblem(value: unknown): value is SignInProblem {
  return typeof value === 'string' && Object.hasOwn(signInProblems, value)
}
