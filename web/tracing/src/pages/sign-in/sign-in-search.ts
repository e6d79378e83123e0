import type { SignInProblem } from '@assay/contract/sign-in-problems.ts'
import { isProblem } from '../sso/sso-search.ts'
import { parseNextPath } from './next-path.ts'

export interface SignInSearch {
  /** The path to open afterwards. */
  readonly next?: string
  /** Why single sign-on failed. */
  readonly problem?: SignInProblem
}

export function parseSignInSearch(search: Readonly<Record<string, unknown>>): SignInSearch {
  const next = parseNextPath(search['next'])
  const { problem } = search
  return {
    ...(next === undefined ? {} : { next }),
    ...(isProblem(problem) ? { problem } : {}),
  }
}
