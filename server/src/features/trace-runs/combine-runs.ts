import type { Volumes } from '@assay/contract/cost-calculator.ts'
import { limits } from '@assay/contract/limits.ts'
import type {
  AgentExtraction,
  ExcludedRun,
  RecordedRun,
  RecordedSystemPrompt,
  RecordedTool,
} from '@assay/contract/trace-runs.ts'
import type { Trace } from '../../domain/span.ts'
import { combineTone } from './combine-tone.ts'
import type { PromptFacts, RunFacts, ToolFacts } from './run-facts.ts'
import { type MonthlyRuns, quantile, toCounterFactors, toVolumes } from './run-volumes.ts'
import { type CombinedTool, suggestAgent } from './suggest-agent.ts'

/*
 * One extraction from the facts of several runs. Pure.
 */

export interface ReadRun {
  readonly trace: Trace
  /** Why there are no facts, as the end of a sentence. */
  readonly facts: RunFacts | { readonly unread: string }
  /** Whether the facts are of all spans. */
  readonly isWhole: boolean
}

interface Of<Facts> {
  readonly traceId: string
  readonly facts: Facts
}

export function combineRuns(runs: readonly ReadRun[], monthly?: MonthlyRuns): AgentExtraction {
  // Oldest first: of tools and signs of tone that several runs have, the last one is reported.
  const known = runs
    .toSorted((a, b) => Number(a.trace.startedAt - b.trace.startedAt))
    .flatMap(({ trace: { traceId }, facts }) => ('unread' in facts ? [] : [{ traceId, facts }]))
  const each = <Part>(parts: (facts: RunFacts) => readonly Part[]): Of<Part>[] =>
    known.flatMap(({ traceId, facts }) => parts(facts).map((one) => ({ traceId, facts: one })))
  const items = runs.map(toItem)
  const ratios = each((facts) => facts.ratios).map(({ facts }) => facts)
  const counterFactors = toCounterFactors(ratios)
  const { volumes, isCut } = toVolumes(items, {
    ...{ counterFactors, monthly },
    cached: each((facts) => facts.cached).map(({ facts }) => facts),
    tools: each((facts) => facts.tools).map(({ facts }) => facts),
  })
  const systemPrompts = toPrompts(each((facts) => facts.prompts))
  const ofTools = combineTools(each((facts) => facts.tools))
  const tone = combineTone(each((facts) => facts.answers))
  const suggested = suggestAgent(systemPrompts, tone, ofTools)
  const notes = [
    ...notesOnReading(runs),
    ...notesOnVolumes(items, isCut),
    ...notesOnMonth(volumes, monthly),
    ...notesOnMedia(known.reduce((sum, { facts }) => sum + facts.mediaCalls, 0)),
    ...counterFactors
      .filter(({ isUsed }) => !isUsed)
      .map(
        ({ model, calls }) =>
          `${calls} model calls of ${model} can be compared with our token counts. The counter factor is used from ${limits.counterFactorCalls.value} calls on.`,
      ),
    ...suggested.notes,
  ]
  return {
    traceIds: runs.map(({ trace }) => trace.traceId),
    ...{ systemPrompts, tone, items, volumes, counterFactors },
    tools: ofTools.map(({ tool }) => tool).slice(0, limits.extractedTools.value),
    suggestion: suggested.agent,
    emptyRunCount: items.filter(({ excluded }) => excluded === 'no_model_call').length,
    notes: notes.slice(0, limits.extractionNotes.value),
  }
}

function toItem({ trace, facts, isWhole }: ReadRun): RecordedRun {
  const known = 'unread' in facts ? undefined : facts
  const whole = isWhole ? known : undefined
  return {
    traceId: trace.traceId,
    model: known?.model ?? trace.models[0] ?? null,
    tools: (known?.tools ?? []).filter(({ calls }) => calls > 0).map(({ name }) => name),
    turns: whole?.turns ?? null,
    ...{ tokensIn: trace.tokensIn, tokensOut: trace.tokensOut },
    // Calls with tokens, of which each counts once. Failed ones cost nothing.
    llmCalls: trace.modelCallCount > 0 ? trace.modelCallCount : trace.llmCallCount,
    toolCalls: Math.max(trace.toolCallCount, whole?.toolCalls ?? 0),
    costUsd: trace.costUsd,
    excluded: reasonToExclude(trace, whole),
  }
}

function reasonToExclude(trace: Trace, facts: RunFacts | undefined): ExcludedRun | null {
  if (trace.llmCallCount === 0) return 'no_model_call'
  if (trace.tokensIn === 0 && trace.tokensOut === 0) return 'no_usage'
  return facts?.isIncomplete === true ? 'incomplete' : null
}

/** Newest first. */
function toPrompts(all: readonly Of<PromptFacts>[]): RecordedSystemPrompt[] {
  return [...Map.groupBy(all, ({ facts }) => facts.key).values()]
    .map((same) => {
      const newest = same.reduce((a, b) => (b.facts.lastUsedMs > a.facts.lastUsedMs ? b : a))
      const { text, isCut, spanId, lastUsedMs } = newest.facts
      return {
        ...{ text, isCut, runs: same.length },
        calls: same.reduce((sum, { facts }) => sum + facts.calls, 0),
        lastUsedAt: new Date(lastUsedMs).toISOString(),
        ...{ traceId: newest.traceId, spanId },
      }
    })
    .toSorted((a, b) => b.lastUsedAt.localeCompare(a.lastUsedAt))
    .slice(0, limits.extractedPrompts.value)
}

/** Most calls first. */
function combineTools(all: readonly Of<ToolFacts>[]): CombinedTool[] {
  return [...Map.groupBy(all, ({ facts }) => facts.name).values()]
    .map((same) => {
      const facts = same.map((one) => one.facts)
      const newest = facts.findLast(({ isDefined }) => isDefined) ?? facts.at(-1)!
      const { name, description, parameters, isTooLong, isMcp, isDefined } = newest
      const outputs = facts.flatMap(({ outputTokens }) => outputTokens)
      const latencies = facts.flatMap(({ latenciesMs }) => latenciesMs)
      return {
        ...{ isTooLong, isMcp },
        tool: {
          ...{ name, description },
          parameters: parameters === null ? null : (JSON.parse(parameters) as Parameters),
          source: isDefined ? ('defined' as const) : ('called' as const),
          definitions: new Set(facts.flatMap(({ definitions }) => definitions)).size,
          calls: facts.reduce((sum, { calls }) => sum + calls, 0),
          runs: same.length,
          errors: facts.reduce((sum, { errors }) => sum + errors, 0),
          latencyMsP50: knownQuantile(latencies, 0.5),
          outputTokensP50: knownQuantile(outputs, 0.5),
          outputTokensP90: knownQuantile(outputs, 0.9),
        },
      }
    })
    .toSorted((a, b) => b.tool.calls - a.tool.calls)
}

function knownQuantile(values: readonly number[], share: number): number | null {
  return values.length === 0 ? null : quantile(values, share)
}

type Parameters = NonNullable<RecordedTool['parameters']>

function notesOnReading(runs: readonly ReadRun[]): string[] {
  return runs.flatMap(({ trace: { traceId, mode }, facts, isWhole }) => {
    const simulated = mode === 'simulation' ? [`Trace ${traceId} is a simulation.`] : []
    if ('unread' in facts)
      return [`The contents of trace ${traceId} were not read: ${facts.unread}`, ...simulated]
    if (isWhole) return simulated
    return [
      `Only the first spans of trace ${traceId} were read, because it is large: prompts, tools and answers come from them, and its turns are unknown.`,
      ...simulated,
    ]
  })
}

const exclusions: Readonly<Record<ExcludedRun, string>> = {
  no_model_call: 'have no model call',
  no_usage: 'report no tokens',
  incomplete: 'lack model calls that an outer span counts, probably because of sampling',
}

function notesOnVolumes(items: readonly RecordedRun[], isCut: boolean): string[] {
  const reasons = items.flatMap(({ excluded }) => (excluded === null ? [] : [excluded]))
  const models = new Set(items.flatMap(({ model }) => (model === null ? [] : [model])))
  const counted = items.filter(({ excluded }) => excluded === null)
  return [
    ...[...Map.groupBy(reasons, (reason) => reason)].map(
      ([reason, { length }]) =>
        `${length} of ${items.length} runs ${exclusions[reason]} and are not part of the volumes.`,
    ),
    ...(models.size > 1
      ? [
          `The runs use ${models.size} models. The estimate of a model uses its own runs if there are at least ${limits.modelVolumesRuns.value}, and otherwise those of all models, as if one tokenizer had counted them.`,
        ]
      : []),
    ...(counted.some(({ turns }) => turns === null)
      ? ['The turns of some runs are unknown and not part of the volumes.']
      : []),
    ...(isCut
      ? ['Some runs exceed the volumes that an estimate accepts, and count as the maximum.']
      : []),
  ]
}

function notesOnMonth({ runs_per_month: runs }: Volumes, monthly?: MonthlyRuns): string[] {
  if (runs === undefined || monthly === undefined) return []
  const about = monthly.isExact ? '' : 'about '
  return [
    `Runs per month: ${about}${runs.toLocaleString('en-US')}, the traces with ${monthly.of} in the last 30 days.`,
  ]
}

function notesOnMedia(calls: number): string[] {
  if (calls === 0) return []
  return [
    `${calls} model calls have images or other media. Their tokens are part of the recorded input, but of no counter factor.`,
  ]
}
