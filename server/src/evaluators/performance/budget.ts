import type { Expectations } from '../../domain/trace-view/trace-view.ts'

/** A budget above 0; undefined if there is none, or if it is no number. */
export function readBudget(expectations: Expectations, key: string): number | undefined {
  const value = Number(expectations.get(key) ?? Number.NaN)
  return Number.isFinite(value) && value > 0 ? value : undefined
}
