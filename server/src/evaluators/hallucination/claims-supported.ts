import { toBlock } from '../judge/blocks.ts'
import type { JudgedEvaluator } from '../judge/judge.ts'
import { answerBlock } from '../judge/trace-blocks.ts'
import { hasMaterial, readSources } from '../source-texts.ts'
import { notApplicable } from '../verdicts.ts'

const instructions =
  'Split the answer into its factual claims and list each: statements about the world, the user or what was found, without greetings, questions, offers, opinions and general knowledge that everybody shares. "yes": the evidence block supports the claim. "no": the evidence contradicts it or does not contain it. A claim that follows from the evidence by arithmetic or by plain reading is supported.'

/** About 30,000 tokens. */
const evidenceLengthMax = 120_000

export const claimsSupported: JudgedEvaluator = {
  key: 'hallucination.claims-supported',
  name: 'Claims supported by the trace',
  description:
    'A judge lists the factual claims of the answer and decides for each whether the trace supports it: the messages of the user, the system prompt, results of tools, retrieved items and memory. A claim counts as supported only with a quote that occurs there. The score is the share of supported claims. Does not apply to an answer without claims, or to a trace with nothing but a short question to check them against.',
  threshold: 0.8,
  use: 'warn',
  reads: ['output', 'input', 'system prompt', 'tool calls', 'retrieved items', 'memory operations'],
  instructions,
  prepare(trace) {
    const { output } = trace
    if (output === undefined) return notApplicable('The trace has no answer.')
    const sources = readSources(trace)
    if (!hasMaterial(sources)) {
      return notApplicable('The trace has nothing to check claims against.')
    }
    const segments = sources
      .filter(({ origin }) => origin !== 'history')
      .map(({ origin, span, text }) => ({ spanId: span.spanId, text, title: `${origin}:` }))
    const evidence = toBlock('evidence', segments, evidenceLengthMax)
    return {
      instructions,
      criteria: [],
      blocks: [answerBlock(output), evidence],
      proofFrom: ['evidence'],
    }
  },
}
