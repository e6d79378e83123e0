import type { Args } from '@assay/contract/endpoint.ts'
import type { ingestTrace } from '@assay/contract/ingest.ts'

/*
 * A run of a support agent as its spans, for the pictures in the documents.
 */

type Batch = Args<typeof ingestTrace>['body']
type Step = Omit<Batch['spans'][number], 'started_at' | 'ended_at'> & {
  readonly fromMs: number
  readonly toMs: number
}

const question = 'My order 1042 has not arrived. Can I get my money back?'

const answer =
  'I am sorry about the wait. Order 1042 left our warehouse on Monday and is held up at the carrier. I have refunded 39.90 EUR; you will see it within three days.'

const model = 'gpt-5-mini'

const steps: readonly Step[] = [
  {
    span_id: 'agent',
    name: 'support agent',
    kind: 'agent',
    fromMs: 0,
    toMs: 7_940,
    input: { question },
    output: { answer },
  },
  {
    span_id: 'guard',
    parent_span_id: 'agent',
    name: 'check the question',
    kind: 'guardrail',
    fromMs: 20,
    toMs: 310,
    output: { allowed: true },
  },
  {
    span_id: 'plan',
    parent_span_id: 'agent',
    name: `chat ${model}`,
    kind: 'llm',
    model,
    tokens_in: 1_204,
    tokens_out: 88,
    cost_usd: 0.000_477,
    fromMs: 340,
    toMs: 1_950,
    input: [
      {
        role: 'system',
        content: 'You help customers of a small shop. Look things up before you answer.',
      },
      { role: 'user', content: question },
    ],
    output: [
      {
        role: 'assistant',
        tool_calls: [
          {
            id: 'call_1',
            type: 'function',
            function: { name: 'look_up_order', arguments: '{"order":1042}' },
          },
        ],
      },
    ],
  },
  {
    span_id: 'lookup-1',
    parent_span_id: 'agent',
    name: 'look_up_order',
    kind: 'tool',
    status: 'ERROR',
    status_message: 'the shop did not answer within a second',
    fromMs: 1_980,
    toMs: 2_990,
    input: { order: 1042 },
  },
  {
    span_id: 'lookup-2',
    parent_span_id: 'agent',
    name: 'look_up_order',
    kind: 'tool',
    fromMs: 3_020,
    toMs: 3_410,
    input: { order: 1042 },
    output: { order: 1042, total: '39.90 EUR', state: 'held up at the carrier' },
  },
  {
    span_id: 'policy',
    parent_span_id: 'agent',
    name: 'find the policy',
    kind: 'retriever',
    fromMs: 3_440,
    toMs: 4_120,
    input: { query: 'refund of late orders' },
    output: { documents: ['Orders later than ten days are refunded in full.'] },
  },
  {
    span_id: 'embed',
    parent_span_id: 'policy',
    name: 'embed the query',
    kind: 'embedding',
    model: 'text-embedding-3-small',
    tokens_in: 6,
    cost_usd: 0.000_000_12,
    fromMs: 3_450,
    toMs: 3_690,
  },
  {
    span_id: 'refund',
    parent_span_id: 'agent',
    name: 'refund',
    kind: 'tool',
    fromMs: 4_150,
    toMs: 5_020,
    input: { order: 1042, amount: '39.90 EUR' },
    output: { refund: 'r-77', state: 'accepted' },
  },
  {
    span_id: 'answer',
    parent_span_id: 'agent',
    name: `chat ${model}`,
    kind: 'llm',
    model,
    tokens_in: 1_892,
    tokens_out: 141,
    cost_usd: 0.000_755,
    fromMs: 5_060,
    toMs: 7_900,
    input: [
      { role: 'user', content: question },
      { role: 'tool', tool_call_id: 'call_1', content: '{"state":"held up at the carrier"}' },
    ],
    output: [{ role: 'assistant', content: answer }],
  },
]

/** The run, begun at `start`. */
export function sampleRun(traceId: string, start: Date): Batch {
  const at = (ms: number) => new Date(start.getTime() + ms).toISOString()
  return {
    trace_id: traceId,
    root_name: 'Answer a customer',
    environment: 'production',
    tags: ['support'],
    session_id: 'customer-7',
    spans: steps.map(({ fromMs, toMs, ...span }) => ({
      ...span,
      started_at: at(fromMs),
      ended_at: at(toMs),
    })),
  }
}
