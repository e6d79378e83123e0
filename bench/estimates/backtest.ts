import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type VolumeName, type Volumes, volumeNames } from '@assay/contract/cost-calculator.ts'
import { noTokens } from '../../server/src/cost-estimate/content-class.ts'
import { type EstimatedModel, estimateCosts } from '../../server/src/cost-estimate/estimate-cost.ts'
import { type ModelTraits, traitsOf } from '../../server/src/cost-estimate/model-traits.ts'
import { pricerFor } from '../../server/src/models/pricer.ts'

/*
 * Predicts the cost of runs from other runs of the same agent, split by task: what a user sees who imports a few runs and
 * then runs the agent. The runs are 200 conversations of a support agent with tools (airline-runs.json).
 */

interface StoredRun {
  readonly task: number
  /** Tokens of the first message of the user. */
  readonly opening: number
  /** Per call: its output, then the results of tools and the messages of the user before the next one: `21/290/0 63/0/11`. */
  readonly calls: string
}

interface StoredRuns {
  readonly systemTokens: number
  readonly toolTokens: number
  readonly toolCount: number
  readonly runs: readonly StoredRun[]
}

/** Tokens of a call: its output, then the results of tools and the messages of the user before the next one. */
type CallTokens = readonly [output: number, tool: number, user: number]

export interface Run extends Readonly<Record<VolumeName, number>> {
  readonly task: number
  readonly opening: number
  readonly calls: readonly CallTokens[]
  readonly costUsd: number
}

interface Prediction {
  readonly median: number
  readonly p10: number
  readonly p90: number
}

export interface Accuracy {
  /** Of the median ratio of prediction to truth. */
  readonly bias: number
  readonly meanError: number
  /** Share of batches within a factor of 2. */
  readonly withinTwo: number
  /** Share of truths within p10 to p90. */
  readonly coverage: number
}

const stored = JSON.parse(
  readFileSync(join(import.meta.dirname, 'airline-runs.json'), 'utf8'),
) as StoredRuns
export const agentTokens = {
  system: stored.systemTokens,
  tools: stored.toolTokens,
  toolCount: stored.toolCount,
}
const firstCallTokens = stored.systemTokens + stored.toolTokens
/** Dollars per token of gpt-4o, without a cache, as in the truth. */
const dollars = { input: 2.5e-6, output: 10e-6 }

const runs = stored.runs.map(toRun)
const tasks = [...new Set(runs.map(({ task }) => task))]
const splits = 400
export const testedTasks = 25

function toRun({ task, opening, calls }: StoredRun): Run {
  const counts = calls.split(' ').map((call): CallTokens => {
    const [output = 0, tool = 0, user = 0] = call.split('/').map(Number)
    return [output, tool, user]
  })
  let context = firstCallTokens + opening
  let [tokens_in, tokens_out, turns, tool_calls] = [0, 0, 1, 0]
  for (const [output, tool, user] of counts) {
    tokens_in += context
    tokens_out += output
    context += output + tool + user
    if (user > 0) turns += 1
    if (tool > 0) tool_calls += 1
  }
  const costUsd = tokens_in * dollars.input + tokens_out * dollars.output
  const volumes = { tokens_in, tokens_out, turns, tool_calls, llm_calls: counts.length }
  return { task, opening, calls: counts, ...volumes, costUsd }
}

/** Tokens per counted token of a provider whose tokenizer the estimate has no factors for. */
const otherTokenizer = 1.3

/**
 * Of batches, after recorded runs with a model of another tokenizer: for the same model, and for one that counts as the
 * estimate does. Either with the counter factor that its calls have, or without.
 */
export function backtestTokenizer(
  imported: number,
  { hasFactor }: { readonly hasFactor: boolean },
): { readonly same: Accuracy; readonly other: Accuracy } {
  const same: Pair[] = []
  const other: Pair[] = []
  const counterFactor = hasFactor ? otherTokenizer : undefined
  const recordedWith = hasFactor ? traitsOf('gpt-4o', otherTokenizer) : undefined
  forEachSplit(imported, (known, tested) => {
    const truth = tested.reduce((sum, { costUsd }) => sum + costUsd, 0)
    const ofBatch = truth / (tested.length / testedTasks)
    const recorded = known.map((run) => ({
      ...{ ...run, tokens_in: run.tokens_in * otherTokenizer },
      tokens_out: run.tokens_out * otherTokenizer,
    }))
    const options = { recordedWith, counterFactor }
    same.push([predict(recorded, testedTasks, options), ofBatch * otherTokenizer])
    other.push([predict(recorded, testedTasks, { recordedWith }), ofBatch])
  })
  return { same: toAccuracy(same), other: toAccuracy(other) }
}

/** Of batches of all runs of 25 other tasks, and of each of these runs, after `imported` runs of different tasks. */
export function backtest(imported: number): { readonly batch: Accuracy; readonly run: Accuracy } {
  const batches: Pair[] = []
  const single: Pair[] = []
  forEachSplit(imported, (known, tested) => {
    const truth = tested.reduce((sum, { costUsd }) => sum + costUsd, 0)
    // Repeats of a task are alike: they do not even out like as many tasks.
    batches.push([predict(known, testedTasks), truth / (tested.length / testedTasks)])
    const one = predict(known, 1)
    for (const { costUsd } of tested) single.push([one, costUsd])
  })
  return { batch: toAccuracy(batches), run: toAccuracy(single) }
}

export const baselines = {
  'one call: the prompt and 500 tokens of output': () =>
    firstCallTokens * dollars.input + 500 * dollars.output,
  'one call per turn': (known) =>
    mean(known, ({ turns }) => turns) * firstCallTokens * dollars.input +
    mean(known, ({ tokens_out }) => tokens_out) * dollars.output,
  'the recorded number of calls, without growth': (known) =>
    mean(known, ({ llm_calls }) => llm_calls) * firstCallTokens * dollars.input +
    mean(known, ({ tokens_out }) => tokens_out) * dollars.output,
  'the mean of the recorded runs': (known) => mean(known, ({ costUsd }) => costUsd),
} as const satisfies Readonly<Record<string, (known: readonly Run[]) => number>>

/** Of the mean cost of a run by a baseline, times the runs of the batch. */
export function backtestBaseline(name: keyof typeof baselines, imported: number): Accuracy {
  const pairs: Pair[] = []
  forEachSplit(imported, (known, tested) => {
    const truth = tested.reduce((sum, { costUsd }) => sum + costUsd, 0)
    const median = baselines[name](known) * tested.length
    pairs.push([{ median, p10: median, p90: median }, truth])
  })
  return toAccuracy(pairs)
}

type Pair = readonly [Prediction, truth: number]

function toAccuracy(pairs: readonly Pair[]): Accuracy {
  const ratios = pairs.map(([{ median }, truth]) => median / truth)
  const share = (holds: (pair: Pair) => boolean) => pairs.filter(holds).length / pairs.length
  return {
    bias: quantile(ratios, 0.5) - 1,
    meanError: ratios.reduce((sum, ratio) => sum + Math.abs(ratio - 1), 0) / ratios.length,
    withinTwo: ratios.filter((ratio) => ratio >= 0.5 && ratio <= 2).length / ratios.length,
    coverage: share(([{ p10, p90 }, truth]) => truth >= p10 && truth <= p90),
  }
}

/** One run of each known task, all runs of each tested one. */
export function forEachSplit(
  imported: number,
  visit: (known: readonly Run[], tested: readonly Run[]) => void,
  splitsMax: number = splits,
): void {
  const random = seededRandom(7 + imported)
  for (let split = 0; split < splitsMax; split += 1) {
    const order = shuffle(tasks, random)
    const tested = new Set(order.slice(0, testedTasks))
    const known = order.slice(testedTasks, testedTasks + imported).flatMap((task) => {
      const ofTask = runs.filter((run) => run.task === task)
      return ofTask[Math.floor(random() * ofTask.length)] ?? []
    })
    visit(
      known,
      runs.filter(({ task }) => tested.has(task)),
    )
  }
}

interface Recording {
  readonly recordedWith?: ModelTraits | undefined
  readonly counterFactor?: number | undefined
}

export function predict(
  known: readonly Run[],
  scenarioCount: number,
  { recordedWith, counterFactor }: Recording = {},
): Prediction {
  const { perModel } = estimateCosts({
    counts: {
      prompt: { ...noTokens, prose: stored.systemTokens },
      typedTools: { ...noTokens, prose: stored.toolTokens },
      ...{ jsonTools: noTokens, toolCount: stored.toolCount },
    },
    ...{
      models: [{ ...model, counterFactor }],
      recordedWith,
      caching: false,
      scenarioCount,
      includeMultiTurn: true,
    },
    mix: { happy_path: 0, edge_case: 0, refusal: 0, multi_turn: 1 },
    volumes: known.length === 0 ? undefined : toVolumes(known),
  })
  const { costUsd, costUsdP10, costUsdP90 } = perModel[0] ?? {}
  return { median: costUsd ?? 0, p10: costUsdP10 ?? 0, p90: costUsdP90 ?? 0 }
}

const question = {
  provider: 'openai',
  model: 'gpt-4o',
  serviceTier: null,
  at: 1_767_225_600_000_000_000n,
}
const { outcome } = pricerFor('').find(question)
if (!('card' in outcome)) throw new Error('gpt-4o has no price')
const model: EstimatedModel = {
  ...{ model: 'gpt-4o', modelConfigId: null, knownAs: 'gpt-4o', provider: 'openai' },
  ...{ contextWindow: 128_000, price: outcome },
}

function toVolumes(known: readonly Run[]): Volumes {
  const values = volumeNames.flatMap((name) => {
    const all = known.map((run) => run[name])
    return [
      [`${name}_mean`, all.reduce((sum, value) => sum + value, 0) / all.length],
      [`${name}_p50`, quantile(all, 0.5)],
      [`${name}_p90`, quantile(all, 0.9)],
    ] as const
  })
  return { runs: known.length, ...Object.fromEntries(values) }
}

function mean(all: readonly Run[], value: (run: Run) => number): number {
  return all.reduce((sum, run) => sum + value(run), 0) / all.length
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const [low = 0, high = low] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
  return low + (high - low) * (at - Math.floor(at))
}

function shuffle<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => [random(), item] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, item]) => item)
}

function seededRandom(seed: number): () => number {
  let state = seed * 48_271
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}
