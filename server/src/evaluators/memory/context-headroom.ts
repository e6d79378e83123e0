import type { ModelCall } from '../../domain/trace-view/trace-view.ts'
import { formatCount } from '../counted.ts'
import type { DeterministicEvaluator, Evidence } from '../evaluator.ts'
import { formatShare } from '../quantities.ts'
import { notApplicable, scored } from '../verdicts.ts'
import { findWindow } from './model-windows.ts'

/** Models read the middle of a fuller window poorly. */
const comfortableShare = 0.8

export const contextHeadroom: DeterministicEvaluator = {
  key: 'memory.context-headroom',
  name: 'Context headroom',
  description:
    'How much room the input of the model calls leaves in the context window of their models. The fullest call counts: 1 up to 80 % of the window, falling to 0 at 100 %. The score is 0 if a conversation loses its system message in a later call. Does not apply when neither the input tokens and the window of a model nor a system message is known.',
  threshold: 0.5,
  use: 'warn',
  reads: ['model calls', 'tokens and cost', 'system prompt'],
  evaluate({ modelCalls }) {
    const lost = findLostSystem(modelCalls)
    if (lost !== undefined) {
      const { spanId, name } = lost.span
      const issue = `The conversation lost its system message in the call ${name}.`
      return scored(0, issue, { issues: [issue], evidence: [{ spanId, quote: name }] })
    }
    const filled = modelCalls.flatMap(({ span }) => {
      const window = span.model === null ? undefined : findWindow(span.model)
      return window === undefined || span.tokensIn === null || span.tokensIn === 0
        ? []
        : [{ span, window, tokens: span.tokensIn, share: span.tokensIn / window }]
    })
    if (filled.length === 0) {
      return notApplicable('The trace has no model call with input tokens and a known window.')
    }
    const fullest = filled.reduce((a, b) => (b.share > a.share ? b : a))
    const score = (1 - fullest.share) / (1 - comfortableShare)
    const { spanId, name, model } = fullest.span
    const reasoning = `The fullest of ${formatCount(filled.length)} model calls sent ${formatCount(fullest.tokens)} of the ${formatCount(fullest.window)} tokens that ${model} reads (${formatShare(fullest.share)}).`
    if (score >= 1) return scored(1, reasoning)
    const evidence: Evidence[] = [{ spanId, quote: name }]
    return scored(score, reasoning, { issues: [reasoning], evidence })
  },
}

/** A call that continues a conversation without the system message that its earlier calls had. */
function findLostSystem(modelCalls: readonly ModelCall[]): ModelCall | undefined {
  const withSystem = new Set<string>()
  for (const call of modelCalls) {
    const [first] = call.messages.filter(({ role }) => role === 'user')
    const hasSystem = call.messages.some(({ role }) => role === 'system' || role === 'developer')
    // Conversations differ by their first user message and the instrumentation that recorded them.
    const key = `${call.span.name} ${call.span.model} ${first?.text ?? ''}`
    if (first === undefined || first.text.trim() === '') continue
    if (hasSystem) withSystem.add(key)
    else if (withSystem.has(key) && call.messages.length > 1) return call
  }
  return undefined
}
