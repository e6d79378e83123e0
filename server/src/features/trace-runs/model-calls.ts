import type { ReadSpan } from '../../domain/trace-view/build-trace-view.ts'
import type { ModelCall, TraceView, ViewMessage } from '../../domain/trace-view/trace-view.ts'
import { type CachedInput, modelsMax } from './run-facts.ts'

/*
 * The model calls of a run: spans of frameworks around them repeat their tokens and messages.
 */

/** Without calls that contain others, unless they count beside these. */
export function leafCalls(view: TraceView, spans: readonly ReadSpan[]): readonly ModelCall[] {
  const separate = new Set(
    spans.filter((span) => span.is_separate_call).map(({ span_id: id }) => id),
  )
  const around = new Set<string>()
  const parents = parentsOf(view)
  for (const { span } of view.modelCalls) {
    let above = parents.get(span.spanId)
    while (above !== undefined && !around.has(above)) {
      around.add(above)
      above = parents.get(above)
    }
  }
  return view.modelCalls.filter(({ span }) => !around.has(span.spanId) || separate.has(span.spanId))
}

function parentsOf({ spans }: TraceView): ReadonlyMap<string, string> {
  return new Map(
    spans.flatMap(({ spanId, parentSpanId }) =>
      parentSpanId === null ? [] : [[spanId, parentSpanId] as const],
    ),
  )
}

/** Spans further out are not compared. */
const levelsMax = 64
/** Rounding, and calls that a framework makes beside those of the client. */
const tolerance = 1.05

/** Whether an outer span reports more input tokens than the calls within it: the others were sampled out. */
export function lacksCalls(view: TraceView, leaves: readonly ModelCall[]): boolean {
  const parents = parentsOf(view)
  const within = new Map<string, number>()
  const own = new Set(leaves.map(({ span }) => span.spanId))
  for (const { span } of leaves) {
    let above = parents.get(span.spanId)
    for (let level = 0; above !== undefined && level < levelsMax; level += 1) {
      within.set(above, (within.get(above) ?? 0) + (span.tokensIn ?? 0))
      above = parents.get(above)
    }
  }
  return view.spans.some(({ spanId, tokensIn, isRepeated }) => {
    const inner = within.get(spanId)
    if (isRepeated || own.has(spanId)) return false
    return inner !== undefined && (tokensIn ?? 0) > inner * tolerance
  })
}

/** Messages of the user during the run: those before its first call are history, except the last one. */
export function countTurns(view: TraceView, leaves: readonly ModelCall[]): number | null {
  const all = countOfUser(view.messages)
  if (all === 0) return null
  const first = leaves.find(({ messages }) => messages.length > 0)
  const before = first === undefined ? 1 : Math.max(countOfUser(first.messages), 1)
  return Math.max(all - before, 0) + 1
}

/** Some conventions send the results of tools as messages of the user. */
function countOfUser(messages: readonly ViewMessage[]): number {
  return messages.filter(({ role, parts }) => role === 'user' && parts.some(isOfUser)).length
}

function isOfUser({ is }: ViewMessage['parts'][number]): boolean {
  return is === 'text' || is === 'media'
}

/** The one of the most calls; of several, the first. */
export function mostUsedModel(leaves: readonly ModelCall[]): string | null {
  const calls = new Map<string, number>()
  for (const { model } of leaves.map(({ span }) => span)) {
    if (model !== null && model !== '') calls.set(model, (calls.get(model) ?? 0) + 1)
  }
  return [...calls].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? null
}

/** Of models that report it for at least one call. Providers leave it out where it is 0. */
export function readCachedInput(leaves: readonly ModelCall[]): CachedInput[] {
  const counted = leaves.filter(({ span }) => (span.model ?? '') !== '' && (span.tokensIn ?? 0) > 0)
  return [...Map.groupBy(counted, ({ span }) => span.model!)]
    .filter(([, calls]) => calls.some(({ span }) => span.tokensCacheRead !== null))
    .slice(0, modelsMax)
    .map(([model, calls]) => ({
      ...{ model, calls: calls.length },
      tokensIn: calls.reduce((sum, { span }) => sum + (span.tokensIn ?? 0), 0),
      tokensCached: calls.reduce(
        (sum, { span }) => sum + Math.min(span.tokensCacheRead ?? 0, span.tokensIn ?? 0),
        0,
      ),
    }))
}

export function hasMedia({ messages }: ModelCall): boolean {
  return messages.some(({ parts }) => parts.some(({ is }) => is === 'media'))
}
