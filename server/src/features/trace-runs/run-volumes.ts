import { type VolumeName, type Volumes, volumeNames } from '@assay/contract/cost-calculator.ts'
import { limits } from '@assay/contract/limits.ts'
import type { CounterFactor, RecordedRun } from '@assay/contract/trace-runs.ts'
import type { TokenRatio } from './run-facts.ts'

/*
 * Volumes of recorded runs as an estimate accepts them.
 */

export interface FoundVolumes {
  readonly volumes: Volumes
  /** Whether a value exceeded what an estimate accepts. */
  readonly isCut: boolean
}

export function toVolumes(
  items: readonly RecordedRun[],
  factors: readonly CounterFactor[],
): FoundVolumes {
  const counted = items.filter(({ excluded }) => excluded === null)
  if (counted.length === 0) return { volumes: {}, isCut: false }
  const model = mostCalledModel(counted)
  const used = factors.filter(({ isUsed }) => isUsed)
  const found = volumeNames.map((name) => ({ name, values: counted.flatMap(valuesOf[name]) }))
  const limited = found.map(({ name, values }) => ({
    name,
    values: values.map((value) => Math.min(value, limitOf(name))),
  }))
  const volumes: Volumes = {
    runs: counted.length,
    ...(model !== undefined && { model }),
    ...(used.length > 0 && {
      counter_factors: used.map(({ model: one, factor }) => ({ model: one, factor })),
    }),
    ...Object.fromEntries(limited.flatMap(({ name, values }) => summarize(name, values))),
  }
  const isCut = found.some(({ name, values }) => values.some((value) => value > limitOf(name)))
  return { volumes, isCut }
}

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
    [`${name}_mean`, values.reduce((sum, value) => sum + value, 0) / values.length],
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
