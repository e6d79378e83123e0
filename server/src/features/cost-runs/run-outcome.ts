import type { RunStop } from '@assay/contract/cost-runs.ts'
import { limits } from '@assay/contract/limits.ts'

/*
 * What a finished execution or generation leaves on its run besides scenarios and results.
 */

/** The first of the causes that applies. Nothing else ends one early than a caller that no longer reads. */
export function toStop(causes: { readonly [Cause in RunStop]?: boolean }): RunStop {
  const found = Object.entries(causes).find(([, applies]) => applies)
  return (found?.[0] as RunStop | undefined) ?? 'disconnected'
}

/** Those of earlier ones stay, as what they are about does. */
export function mergeNotices(earlier: readonly string[], added: readonly string[]): string[] {
  return [...new Set([...earlier, ...added])].slice(-limits.costRunNotices.value)
}
