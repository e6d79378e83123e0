import type { SpanHead } from './span.ts'
import { hasTokens } from './span-tree.ts'

/*
 * Model calls within others. Usually the outer span repeats the inner ones, and only these count. Two spans of one
 * instrumentation with different response ids are two calls, though: LangSmith, for example, writes the facts of a
 * stream on the span around it, which may enclose other calls.
 */

type CallFacts = Pick<
  SpanHead,
  'kind' | 'startedAt' | 'endedAt' | 'tokensIn' | 'tokensOut' | 'sdk' | 'responseId'
>

/** Whether the span may be a call apart from those within it. */
export function isIdentifiedCall(
  span: Pick<CallFacts, 'kind' | 'responseId' | 'tokensIn' | 'tokensOut'>,
): boolean {
  return span.kind === 'llm' && span.responseId !== null && hasTokens(span)
}

interface InnerCalls {
  tokensIn: number
  tokensOut: number
  /** Whether one of them is, or may be, another report of the outer call. */
  hasSameCall: boolean
  hasOtherCall: boolean
}

/** Farther inner calls are not compared with an outer one, so that the work per call is limited. */
const levelsMax = 64
const callsPerStep = 200

/**
 * Finds the calls that count although calls within them count too: `llm` spans with a response id and tokens that
 *
 * - enclose a call of the same instrumentation with another response id,
 * - enclose no call with the same response id, nor one without a response id and with the same tokens, and
 * - do not have the sum of the tokens of these nearest calls of the same instrumentation.
 *
 * `calls` are those that `isReportedCall`, in any order. Yields regularly.
 */
export function* findSeparateCalls<Node>(
  calls: Iterable<Node>,
  toSpan: (node: Node) => CallFacts,
  toParent: (node: Node) => Node | null,
): Generator<undefined, ReadonlySet<Node>, void> {
  const outer = new Map<Node, InnerCalls>()
  let visited = 0
  for (const call of calls) {
    if (++visited % callsPerStep === 0) yield
    const span = toSpan(call)
    if (!hasTokens(span)) continue
    let level = 0
    for (let node = toParent(call); node !== null && level < levelsMax; node = toParent(node)) {
      level += 1
      const enclosing = toSpan(node)
      if (!isIdentifiedCall(enclosing)) continue
      if (!outer.has(node)) outer.set(node, { ...noInnerCalls })
      if (addInner(outer.get(node)!, enclosing, span)) break
    }
  }
  const separate = new Set<Node>()
  for (const [node, inner] of outer) if (isSeparate(toSpan(node), inner)) separate.add(node)
  return separate
}

const noInnerCalls: InnerCalls = {
  tokensIn: 0,
  tokensOut: 0,
  hasSameCall: false,
  hasOtherCall: false,
}

/** True when calls further out are not to be compared with the inner one. */
function addInner(sums: InnerCalls, outer: CallFacts, inner: CallFacts): boolean {
  const tokensIn = inner.tokensIn ?? 0
  const tokensOut = inner.tokensOut ?? 0
  if (inner.responseId === null || inner.kind !== 'llm') {
    if (tokensIn === (outer.tokensIn ?? 0) && tokensOut === (outer.tokensOut ?? 0)) {
      sums.hasSameCall = true
    }
    return true
  }
  if (inner.responseId === outer.responseId) sums.hasSameCall = true
  if (inner.sdk !== outer.sdk) return false
  sums.hasOtherCall ||= inner.responseId !== outer.responseId
  sums.tokensIn += tokensIn
  sums.tokensOut += tokensOut
  return true
}

function isSeparate({ tokensIn, tokensOut }: CallFacts, inner: InnerCalls): boolean {
  if (inner.hasSameCall || !inner.hasOtherCall) return false
  return (tokensIn ?? 0) !== inner.tokensIn || (tokensOut ?? 0) !== inner.tokensOut
}
