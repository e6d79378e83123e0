import { type VolumeName, type Volumes, volumeNames } from '@assay/contract/cost-calculator.ts'
import { limits } from '@assay/contract/limits.ts'
import type { CounterFactor, RecordedRun } from '@assay/contract/trace-runs.ts'
import type { CachedInput, TokenRatio, ToolFacts } from './run-facts.ts'

/*
 * Volumes of recorded runs as an estimate accepts them.
 */

export interface FoundVolumes {
  readonly volumes: Volumes
  /** Whether a value exceeded what an estimate accepts. */
  readonly isCut: boolean
}

/** The traces of the last 30 days. */
export interface MonthlyRuns {
  readonly runs: number
  /** Whether all were examined. */
  readonly isExact: boolean
  /** What they have in common, as the end of a sentence. */
  readonly of: string
}

interface Learned {
  readonly counterFactors: readonly CounterFactor[]
  readonly cached: readonly CachedInput[]
  readonly tools: readonly ToolFacts[]
  readonly monthly: MonthlyRuns | undefined
}

export function toVolumes(items: readonly RecordedRun[], learned: Learned): FoundVolumes {
  const counted = items.filter(({ excluded }) => excluded === null)
  if (counted.length === 0) return { volumes: {}, isCut: false }
  const { counterFactors, cached, tools, monthly } = learned
  const model = mostCalledModel(counted)
  const used = counterFactors.filter(({ isUsed }) => isUsed)
  const toolOutput = meanOutput(tools)
  const volumes: Volumes = {
    runs: counted.length,
    ...(monthly !== undefined && {
      runs_per_month: Math.min(monthly.runs, limits.runsPerMonth.value),
    }),
    ...(model !== undefined && { model, ...cachedShareOf(model, cached) }),
    ...(used.length > 0 && {
      counter_factors: used.map(({ model: one, factor }) => ({ model: one, factor })),
    }),
    ...(toolOutput !== undefined && {
      tool_output_tokens: Math.min(toolOutput, limits.tokensPerRun.value),
    }),
    ...byModel(counted, cached),
    ...summarizeAll(counted),
  }
  const isCut = volumeNames.some((name) =>
    counted.flatMap(valuesOf[name]).some((value) => value > limitOf(name)),
  )
  return { volumes, isCut }
}

/** Each with its own volumes, if there are several. */
function byModel(
  counted: readonly RecordedRun[],
  cached: readonly CachedInput[],
): Pick<Volumes, 'by_model'> {
  const known = counted.filter(({ model }) => model !== null && isAccepted(model))
  const groups = [...Map.groupBy(known, ({ model }) => model!)]
  if (groups.length < 2) return {}
  const by_model = groups.map(([model, runs]) => ({
    ...{ model, runs: runs.length, ...cachedShareOf(model, cached), ...summarizeAll(runs) },
  }))
  return { by_model: by_model.toSorted((a, b) => b.runs - a.runs) }
}

/** Of all its calls, if there are enough. */
function cachedShareOf(
  model: string,
  cached: readonly CachedInput[],
): Pick<Volumes, 'cached_share'> {
  const own = cached.filter((one) => one.model === model)
  const sum = (name: 'calls' | 'tokensIn' | 'tokensCached') =>
    own.reduce((total, one) => total + one[name], 0)
  if (sum('calls') < limits.counterFactorCalls.value) return {}
  return { cached_share: sum('tokensCached') / sum('tokensIn') }
}

/** Of all results, of which each tool has some. */
function meanOutput(tools: readonly ToolFacts[]): number | undefined {
  const known = tools.filter(({ outputTokens }) => outputTokens.length > 0)
  const calls = known.reduce((sum, one) => sum + one.calls, 0)
  if (calls === 0) return undefined
  const tokens = known.reduce((sum, one) => sum + one.calls * mean(one.outputTokens), 0)
  return tokens / calls
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function summarizeAll(runs: readonly RecordedRun[]): Partial<Record<VolumeKey, number>> {
  return Object.fromEntries(
    volumeNames.flatMap((name) => {
      const values = runs.flatMap(valuesOf[name])
      return summarize(
        name,
        values.map((value) => Math.min(value, limitOf(name))),
      )
    }),
  )
}

type VolumeKey = `${VolumeName}_${'p50' | 'p90' | 'mean'}`

const valuesOf: Readonly<Record<VolumeName, (run: RecordedRun) => number[]>> = {
  turns: ({ turns }) => (turns === null ? [] : [turns]),
  tokens_in: ({ tokensIn }) => [tokensIn],
  tokens_out: ({ tokensOut }) => [tokensOut],
  llm_calls: ({ llmCalls }) => [llmCalls],
  tool_calls: ({ toolCalls }) => [toolCalls],
}

function limitOf(name: VolumeName): number {
  const isTokens = name === 'tokens_in' || name === 'tokens_out'
  return isTokens ? limits.tokensPerRun.value : limits.callsPerRun.value
}

function summarize(name: VolumeName, values: readonly number[]): [string, number][] {
  if (values.length === 0) return []
  return [
    [`${name}_p50`, quantile(values, 0.5)],
    [`${name}_p90`, quantile(values, 0.9)],
    [`${name}_mean`, mean(values)],
  ]
}

/** Interpolated between the values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const [low = 0, high = low] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
  return low + (high - low) * (at - Math.floor(at))
}

function mostCalledModel(runs: readonly RecordedRun[]): string | undefined {
  const calls = new Map<string, number>()
  for (const { model, llmCalls } of runs) {
    if (model !== null && isAccepted(model)) {
      calls.set(model, (calls.get(model) ?? 0) + llmCalls)
    }
  }
  return [...calls].toSorted(([, a], [, b]) => b - a)[0]?.[0]
}

function isAccepted(model: string): boolean {
  return model !== '' && model.length <= limits.modelLength.value
}

/** Most calls first. */
export function toCounterFactors(ratios: readonly TokenRatio[]): CounterFactor[] {
  return [...Map.groupBy(ratios, ({ model }) => model)]
    .filter(([model]) => isAccepted(model))
    .map(([model, ofModel]) => ({
      model,
      factor: quantile(
        ofModel.map(({ ratio }) => ratio),
        0.5,
      ),
      calls: ofModel.length,
      isUsed: ofModel.length >= limits.counterFactorCalls.value,
    }))
    .toSorted((a, b) => b.calls - a.calls)
    .slice(0, limits.counterFactors.value)
}
