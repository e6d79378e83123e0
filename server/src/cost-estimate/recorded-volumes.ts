import type { VolumeName, Volumes } from '@assay/contract/cost-calculator.ts'

/*
 * Combines the volumes of a request with the priors. The mean of a few runs is uncertain: it counts as many runs, beside
 * a prior that counts as two. The combined mean is geometric, because volumes of agents differ by factors: an agent with
 * a tenth of the calls of the prior would otherwise be estimated at a multiple of what was recorded.
 */

export type Origin = 'imported' | 'prior' | 'user'

export interface Sourced {
  readonly value: number
  readonly origin: Origin
}

/** The runs that a prior counts as: of a mean, and of a spread, which takes more runs to measure. */
export const priorRuns = 2
const priorSpreadRuns = 16

/** p90 of a normal variable, in standard deviations. */
export const p90Deviations = 1.2816

/** The volumes of the recorded runs of one model, in place of those of all. */
export function volumesOfModel(volumes: Volumes, { model: _, ...own }: ModelVolumes): Volumes {
  const { runs_per_month, runs_per_month_origin, tool_output_tokens, assumed } = volumes
  const shared = { runs_per_month, runs_per_month_origin, tool_output_tokens, assumed }
  return { ...shared, ...own }
}

type ModelVolumes = NonNullable<Volumes['by_model']>[number]

/** Values without `runs` are what the caller assumes, and replace the prior. */
export function originOf(volumes: Volumes | undefined): Exclude<Origin, 'prior'> {
  return volumes?.runs === undefined ? 'user' : 'imported'
}

export function meanOf(volumes: Volumes | undefined, name: VolumeName, prior: number): Sourced {
  return withPrior(volumes, volumes && measuredMean(volumes, name), prior)
}

/** A measured mean beside its prior. */
export function withPrior(
  volumes: Volumes | undefined,
  measured: number | undefined,
  prior: number,
): Sourced {
  if (measured === undefined) return { value: prior, origin: 'prior' }
  const { runs } = volumes ?? {}
  if (runs === undefined) return { value: measured, origin: 'user' }
  return { value: geometricMean([prior, priorRuns], [measured, runs]), origin: 'imported' }
}

type Weighted = readonly [value: number, weight: number]

/** Arithmetic if a value is 0, such as the tool calls of an agent that makes none. */
function geometricMean([a, ofA]: Weighted, [b, ofB]: Weighted): number {
  const share = ofA / (ofA + ofB)
  return a > 0 && b > 0 ? b * (a / b) ** share : share * a + (1 - share) * b
}

/** The standard deviation of the logarithm. */
export function spreadOf(
  volumes: Volumes | undefined,
  names: readonly VolumeName[],
  prior: number,
): Sourced {
  const measured = names.map((name) => volumes && measuredSpread(volumes, name)).find(isPresent)
  if (measured === undefined) return { value: prior, origin: 'prior' }
  const { runs } = volumes ?? {}
  if (runs === undefined) return { value: measured, origin: 'user' }
  const variance =
    (priorSpreadRuns * prior ** 2 + (runs - 1) * measured ** 2) / (priorSpreadRuns + runs - 1)
  return { value: Math.sqrt(variance), origin: 'imported' }
}

/** Of a log-normal distribution with these quantiles, unless the mean itself is given. */
function measuredMean(volumes: Volumes, name: VolumeName): number | undefined {
  const mean = volumes[`${name}_mean`]
  if (mean !== undefined) return mean
  const p50 = volumes[`${name}_p50`]
  const p90 = volumes[`${name}_p90`]
  if (p50 === undefined) return p90 === undefined ? undefined : p90 * assumedMeanToP90
  const spread = spreadOf(volumes, [name], assumedSpread).value
  return p50 * Math.exp(spread ** 2 / 2)
}

const assumedSpread = 0.6
const assumedMeanToP90 = Math.exp(assumedSpread ** 2 / 2 - p90Deviations * assumedSpread)

function measuredSpread(volumes: Volumes, name: VolumeName): number | undefined {
  const p50 = volumes[`${name}_p50`]
  const p90 = volumes[`${name}_p90`]
  if (p50 === undefined || p90 === undefined || p50 === 0) return undefined
  return Math.min(Math.log(p90 / p50) / p90Deviations, spreadMax)
}

const spreadMax = 2

function isPresent<Value>(value: Value | undefined): value is Value {
  return value !== undefined
}
