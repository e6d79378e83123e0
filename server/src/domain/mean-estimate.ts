import { valueAtTail } from './student-t.ts'

/*
 * The mean of few scores, with how far it may be off.
 */

export interface MeanEstimate {
  readonly mean: number
  readonly standardError: number
  readonly samples: number
}

/**
 * Of values from -1 to 1. The error is as if the largest deviation had occurred once more in each direction: a few equal
 * values would otherwise look certain.
 */
export function estimateMean(values: readonly number[]): MeanEstimate {
  const samples = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / samples
  const isBinary = values.every((value) => Number.isInteger(value))
  const deviations = values.map((value) => Math.abs(value - mean))
  const largest = Math.max(isBinary ? 1 : 0.25, ...deviations)
  const squares = deviations.reduce((sum, one) => sum + one * one, 2 * largest * largest)
  return { mean, standardError: Math.sqrt(squares / (samples + 2) / samples), samples }
}

/** Of scores of 0 to 1 whose mean alone is known: as if each were 0 or 1, which varies most. */
export function estimateFromMean(mean: number, samples: number): MeanEstimate {
  const shrunk = (mean * samples + 1) / (samples + 2)
  return { mean, standardError: Math.sqrt((shrunk * (1 - shrunk)) / samples), samples }
}

/** Of the mean of scores of 0 to 1. */
export function interval95({ mean, standardError, samples }: MeanEstimate): [number, number] {
  if (samples < 2) return [0, 1]
  const reach = standardError * valueAtTail(0.025, samples - 1)
  return [Math.max(0, mean - reach), Math.min(1, mean + reach)]
}
