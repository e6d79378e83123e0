import { vi } from 'vitest'

/** Resolves with the result of `check` once it no longer throws. A busy machine takes its time. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 15_000 })
}
