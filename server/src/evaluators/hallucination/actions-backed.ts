import type { TraceView } from '../../domain/trace-view/trace-view.ts'
import type { Criterion, JudgedEvaluator } from '../judge/judge.ts'
import { callsBlock, questionBlock } from '../judge/trace-blocks.ts'
import { notApplicable } from '../verdicts.ts'
import { findClaimedActions } from './claimed-actions.ts'

const instructions =
  'The claims block has sentences of the final answer that seem to report an action as done. The calls block has the tool calls of the run that succeeded. A call backs a claim if it performs the action on the same object. A call that only reads or drafts does not back a change. If a sentence reports no action of the assistant, such as an offer, a draft for the user or an action of somebody else, the verdict is not_applicable.'

export const actionsBacked: JudgedEvaluator = {
  key: 'hallucination.actions-backed',
  name: 'Claimed actions happened',
  description:
    'Code finds sentences of the answer that report an action as done ("I have sent …", "Your order was cancelled"), and a judge decides for each whether a successful tool call backs it; without a quote from a call it counts as not backed. The score is the share of backed claims. Finds claims in English, up to 20. Does not apply to an answer without any.',
  threshold: 1,
  use: 'gate',
  reads: ['output', 'input', 'tool calls'],
  instructions,
  prepare(trace) {
    const { input, output, toolCalls } = trace
    if (output === undefined) return notApplicable('The trace has no answer.')
    const claims = findClaimedActions(output.text)
    if (claims.length === 0) return notApplicable('The answer claims no action.')
    const segments = claims.map((text, index) => ({
      ...{ spanId: output.spanId, title: idOf(index), text },
    }))
    const question = input === undefined ? [] : [questionBlock(trace)]
    return {
      instructions,
      criteria: claims.map(toCriterion),
      blocks: [
        ...question,
        { name: 'claims', segments },
        callsBlock('calls', toolCalls.filter(hasSucceeded)),
      ],
      proofFrom: ['calls'],
    }
  },
}

function hasSucceeded({ error }: TraceView['toolCalls'][number]): boolean {
  return error === undefined
}

function toCriterion(claim: string, index: number): Criterion {
  const question = `Did the action that ${idOf(index)} reports happen, as a successful call shows? If the calls leave it open, no.`
  return { id: idOf(index), question, subject: claim }
}

function idOf(index: number): string {
  return `claim-${index + 1}`
}
