import { toBlock } from '../judge/blocks.ts'
import type { JudgedEvaluator } from '../judge/judge.ts'
import { passageBlock, passageCriteria, passagesOf } from '../judge/passages.ts'
import { questionBlock } from '../judge/trace-blocks.ts'
import { notApplicable, quoteText, scored } from '../verdicts.ts'

const instructions =
  'Judge for each passage of the answer whether the retrieved items support it. Only they count as evidence, not general knowledge. "no" also if they support a part of the passage only. Passages without a factual claim are not_applicable: greetings, questions, offers, and statements that something was not found.'

/** About 30,000 tokens. */
const retrievedLengthMax = 120_000
/** Shorter answers without evidence claim too little to be judged. */
const substantiveWords = 8
/** That nothing was found, in the languages that are most common in traces. */
const abstention = new RegExp(
  [
    String.raw`\b(?:no (?:information|results?|documents?|data|details)|not (?:find|found|available|know|sure|have|contain)|unable|cannot|sorry)\b`,
    String.raw`n['’]t (?:find|know|have|contain)\b`,
    String.raw`\b(?:nicht (?:gefunden|finden|bekannt)|keine (?:informationen|angaben|ergebnisse|daten|dokumente)|leider)\b`,
    String.raw`désolé|\b(?:aucune?|pas d['’]) ?(?:information|résultat|document)|malheureusement`,
    String.raw`\blo siento\b|\bno (?:he |se )?(?:encontr|teng|dispong)|\bnon (?:ho |è stato )?trovat|mi dispiace|purtroppo`,
    String.raw`\bniet (?:gevonden|bekend)\b|helaas|geen informatie|\bnão (?:encontr|tenho)|infelizmente`,
  ].join('|'),
  'iu',
)
/** An answer begins with it. */
const abstentionWithin = 300

export const grounded: JudgedEvaluator = {
  key: 'faithfulness.grounded',
  name: 'Grounded in retrieved context',
  description:
    'A judge decides for each passage of the answer whether the retrieved items support it; without a quote from them it counts as not supported. The score is the share of supported passages with a claim. It is 0 if the retrievers returned nothing and the answer makes claims all the same. Passages are sentences; the middle of a long answer has passages of several sentences. Does not apply to a trace without a retriever or an answer, or to an answer without claims.',
  threshold: 0.8,
  use: 'warn',
  reads: ['retrieved items', 'input', 'output'],
  instructions,
  prepare(trace) {
    const { input, output, retrievals } = trace
    if (retrievals.length === 0) return notApplicable('The trace has no retriever.')
    if (output === undefined) return notApplicable('The trace has no answer.')
    const items = retrievals.flatMap((one) => one.items)
    if (items.length === 0) {
      const words = output.text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0
      if (words < substantiveWords || abstention.test(output.text.slice(0, abstentionWithin))) {
        return notApplicable('Nothing was retrieved, and the answer claims nothing.')
      }
      const issue = 'Nothing was retrieved, but the answer makes claims.'
      return scored(0, issue, { issues: [issue], evidence: [quoteText(output)] })
    }
    const passages = passagesOf(output.text)
    if (passages.length === 0) return notApplicable('The answer has no text.')
    const retrieved = items.map(({ spanId, id, text }) => ({ spanId, title: `item ${id}:`, text }))
    return {
      instructions,
      criteria: passageCriteria(
        passages,
        (id) => `Do the retrieved items support ${id} of the answer? If they leave it open, no.`,
      ),
      blocks: [
        ...(input === undefined ? [] : [questionBlock(trace)]),
        toBlock('retrieved', retrieved, retrievedLengthMax),
        passageBlock(output, passages),
      ],
      proofFrom: ['retrieved'],
    }
  },
}
