import { addRoot, callModel, sampleModels } from './sample-steps.ts'
import type { SampleTrace } from './sample-trace.ts'

/*
 * Summarizes customer feedback with a self-hosted model that is not in any price list.
 */

const feedback = [
  'Delivery was quick, the box was dented.',
  'The new search finds nothing when I misspell a word.',
  'I love the lamp. The manual is in one language only.',
  'Support answered within minutes!',
] as const

export function feedbackDigest(trace: SampleTrace): void {
  const { random } = trace
  const root = trace.newSpanId()
  const input = Array.from({ length: random.whole(3, 8) }, () => random.pick(feedback)).join('\n')
  const output = 'Customers like the support and the delivery. They miss a search that forgives.'
  const toMs = callModel(trace, {
    parent: root,
    fromMs: 6,
    model: sampleModels.selfHosted,
    messages: [
      { role: 'system', text: 'Sum this feedback up in two sentences.' },
      { role: 'user', text: input },
    ],
    answer: { role: 'assistant', text: output },
    hiddenTokens: random.whole(400, 3_000),
  })
  trace.log({ span: root, atMs: toMs, level: 'info', text: 'digest written' })
  addRoot(trace, { spanId: root, name: 'digest of feedback', toMs: toMs + 3, input, output })
}
