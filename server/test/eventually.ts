import { inject, vi } from 'vitest'

/**
 * Resolves with the result of `check` once it no longer throws. A busy machine takes its time, and with ClickHouse more:
 * rules evaluate its traces after three seconds at the earliest.
 */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: inject('isScaled') ? 60_000 : 15_000 })
}
