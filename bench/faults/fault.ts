/*
 * A row of the fault table: what goes wrong, what the service promises then, and a run that measures it.
 */

export interface FaultRun {
  /** A few minutes for the whole table instead of less than an hour. */
  readonly isQuick: boolean
  /** How long the soak of the last row takes. */
  readonly soakMinutes: number
}

/**
 * `busy`: only times were missed, while other work took the processors. `not run` has the reason in `measured`.
 */
export type Verdict = 'met' | 'missed' | 'busy' | 'not run'

export interface Outcome {
  readonly verdict: Verdict
  /** What happened, with measurements. */
  readonly measured: string
  /** Whether every condition that was missed is one of time. */
  readonly isOnlyLate?: boolean
}

export interface Fault {
  /** That of the table; never reused. */
  readonly number: number
  readonly fault: string
  readonly promise: string
  readonly target: string
  measure(run: FaultRun): Promise<Outcome>
}

/** Each with whether it held. */
export type Conditions = Readonly<Record<string, boolean>>

/**
 * Whether every condition held; those that did not are appended to what was measured. `times`: conditions that a busy
 * machine alone can miss.
 */
export function judge(measured: string, conditions: Conditions, times: Conditions = {}): Outcome {
  const missed = namesOfMissed(conditions)
  const late = namesOfMissed(times)
  if (missed.length + late.length === 0) return { verdict: 'met', measured }
  return {
    verdict: 'missed',
    measured: `${measured}. Missed: ${[...missed, ...late].join('; ')}`,
    isOnlyLate: missed.length === 0,
  }
}

function namesOfMissed(conditions: Conditions): readonly string[] {
  return Object.entries(conditions)
    .filter(([, holds]) => !holds)
    .map(([name]) => name)
}

export const notRun = (reason: string): Outcome => ({ verdict: 'not run', measured: reason })

/** The value below which this share of the values are; 0 without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}

export const largest = (values: readonly number[]) => quantile(values, 1)

export const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
export const megabytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`
