import {
  addRoot,
  callModel,
  callTool,
  retrieve,
  type SampleCall,
  type SampleMessage,
  sampleModels,
} from './sample-steps.ts'
import type { SampleError, SampleTrace } from './sample-trace.ts'

/*
 * A customer support agent: it looks up orders, retries when the shop does not respond, and issues refunds.
 * Version 1.9.0 calls two tools at once, checks its answer, and reads the policy only when needed.
 */

const questions = [
  'My order {order} has not arrived. Can I get my money back?',
  'Where is order {order}? The tracking page has not changed for a week.',
  'I was charged twice for order {order}.',
  'The lamp in order {order} came broken. What now?',
  'Can I still change the address of order {order}?',
  'Please cancel order {order}, I found it cheaper elsewhere.',
] as const

const followUps = [
  'How long will that take?',
  'And the shipping costs?',
  'Can you send me a confirmation by mail?',
  'Thanks. One more thing: does the warranty still hold?',
] as const

const answers = [
  'I am sorry about the wait. Order {order} left our warehouse on Monday and is held up at the carrier. I have refunded 39.90 EUR; you will see it within three days.',
  'I have looked into order {order}: the carrier lost the parcel between two hubs. A new one leaves today, and you need not do anything.',
  'You are right, order {order} was charged twice. The second charge is canceled; your bank shows it within five days.',
  'Order {order} is on its way and cannot be changed any more, but you can refuse it at the door and we refund everything.',
] as const

const instructions =
  'You help customers of a small shop. Look things up before you answer. Refund up to 100 EUR on your own; above that, hand over to a person. Be brief and kind.'

const policy = [
  { id: 'policy-12', text: 'Orders later than ten days are refunded in full on request.' },
  { id: 'policy-31', text: 'Damaged goods are replaced or refunded, as the customer likes.' },
]

const shopTimeout: SampleError = {
  type: 'TimeoutError',
  message: 'the shop did not answer within a second',
}
const refundRefused: SampleError = {
  type: 'RefundRefused',
  message: 'payment provider: the card of this order has expired',
}
const rateLimited: SampleError = {
  type: 'RateLimitError',
  message: '429 Too Many Requests: rate limit reached for requests per minute',
}

type Outcome = 'answered' | 'refund refused' | 'model refused'

export function supportDesk(trace: SampleTrace): void {
  const { random, run } = trace
  const order = orderOf(run)
  const question = run.turn === 0 ? random.pick(questions) : random.pick(followUps)
  const input = question.replace('{order}', order)
  const root = trace.newSpanId()
  const outcome = chooseOutcome(trace)
  const toRoot = { spanId: root, name: 'invoke_agent support agent', agent: 'support agent', input }
  const messages: readonly SampleMessage[] = [
    { role: 'system', text: instructions },
    { role: 'user', text: input },
  ]
  const begunMs = guard(trace, root)
  if (outcome === 'model refused') {
    const toMs = refused(trace, root, begunMs, messages)
    addRoot(trace, { ...toRoot, toMs, error: rateLimited })
    return
  }
  const calls = toCalls(order, run.version)
  const plan: SampleMessage = { role: 'assistant', calls }
  const model = chooseModel(trace)
  let atMs = callModel(trace, {
    ...{ parent: root, fromMs: begunMs, model, messages, answer: plan, hiddenTokens: 940 },
    ...(run.turn > 0 ? { cached: 768 } : {}),
  })
  atMs = lookUp(trace, root, atMs, calls)
  if (run.version === '1.8.0' || random.chance(0.4)) {
    const tookMs = random.whole(90, 420)
    const fromMs = atMs + 6
    atMs = retrieve(trace, { parent: root, fromMs, query: input, documents: policy, tookMs })
  }
  atMs = refund(trace, root, atMs + 5, order, outcome)
  if (outcome === 'refund refused') {
    addRoot(trace, { ...toRoot, toMs: atMs + 20, error: refundRefused })
    return
  }
  const state = `{"order":${order},"total":"39.90 EUR","state":"held up at the carrier"}`
  const output = random.pick(answers).replace('{order}', order)
  atMs = callModel(trace, {
    parent: root,
    fromMs: atMs + 12,
    model,
    messages: [...messages, plan, { role: 'tool', answers: 'call_1', text: state }],
    answer: { role: 'assistant', text: output },
    hiddenTokens: 1010,
    cached: 896,
    reasoning: run.version === '1.9.0' ? random.whole(20, 160) : 0,
  })
  if (run.version === '1.9.0') atMs = checkAnswer(trace, root, atMs, output)
  addRoot(trace, { ...toRoot, toMs: atMs + 15, output })
}

/** A session is about one order. */
function orderOf({ sessionId }: SampleTrace['run']): string {
  return String(1000 + (Number.parseInt(sessionId.slice(-8), 16) % 9000))
}

function chooseModel({ run }: SampleTrace) {
  return run.version === '1.9.0' ? sampleModels.haiku : sampleModels.small
}

function chooseOutcome({ random }: SampleTrace): Outcome {
  if (random.chance(0.03)) return 'model refused'
  return random.chance(0.04) ? 'refund refused' : 'answered'
}

/** Returns its end, as do those below. */
function guard(trace: SampleTrace, parent: string): number {
  const toMs = trace.random.whole(180, 340)
  trace.add({
    name: 'check the question',
    parent,
    fromMs: 12,
    toMs,
    attributes: { 'openinference.span.kind': 'GUARDRAIL', 'output.value': '{"allowed":true}' },
  })
  return toMs + 10
}

/** Three attempts, none of which gets a response from the model. */
function refused(
  trace: SampleTrace,
  parent: string,
  fromMs: number,
  messages: readonly SampleMessage[],
): number {
  let atMs = fromMs
  const answer: SampleMessage = { role: 'assistant' }
  for (const attempt of [1, 2, 3]) {
    const call = { parent, fromMs: atMs, model: chooseModel(trace), messages, answer }
    atMs = callModel(trace, { ...call, error: rateLimited }) + 500 * attempt
    trace.log({
      span: parent,
      atMs,
      level: attempt === 3 ? 'error' : 'warn',
      text: attempt === 3 ? 'gave up: the model refused three times' : 'the model refused; waiting',
      attributes: { attempt },
    })
  }
  return atMs
}

function toCalls(order: string, version: string): readonly SampleCall[] {
  const lookUpOrder = { id: 'call_1', name: 'look_up_order', arguments: { order } }
  if (version === '1.8.0') return [lookUpOrder]
  return [lookUpOrder, { id: 'call_2', name: 'track_parcel', arguments: { order } }]
}

/** All at once; calls that the shop does not answer are retried. */
function lookUp(
  trace: SampleTrace,
  parent: string,
  atMs: number,
  calls: readonly SampleCall[],
): number {
  const { random } = trace
  const ends = calls.map((call) => {
    let fromMs = atMs + random.whole(4, 14)
    while (random.chance(0.12)) {
      const span = callTool(trace, { parent, fromMs, call, tookMs: 1_004, error: shopTimeout })
      trace.log({
        span,
        atMs: fromMs + 1_004,
        level: 'warn',
        text: `${call.name} did not answer; trying again`,
        attributes: { 'peer.service': 'shop' },
      })
      fromMs += 1_040
    }
    const tookMs = random.whole(120, 780)
    const result = { ...call.arguments, state: 'held up at the carrier', total: '39.90 EUR' }
    const span = callTool(trace, { parent, fromMs, call, result, tookMs })
    trace.log({ span, atMs: fromMs + tookMs - 1, level: 'debug', text: 'shop: 1 row' })
    return fromMs + tookMs
  })
  return Math.max(...ends)
}

function refund(
  trace: SampleTrace,
  parent: string,
  fromMs: number,
  order: string,
  outcome: Outcome,
): number {
  const tookMs = trace.random.whole(400, 1_900)
  const call = { id: 'call_9', name: 'refund', arguments: { order, amount: '39.90 EUR' } }
  if (outcome === 'refund refused') {
    const span = callTool(trace, { parent, fromMs, call, tookMs, error: refundRefused })
    const text = 'refund refused; a person takes over'
    trace.log({ span, atMs: fromMs + tookMs, level: 'error', text, attributes: { order } })
  } else {
    const result = { refund: `r-${order}`, state: 'accepted' }
    const span = callTool(trace, { parent, fromMs, call, tookMs, result })
    trace.log({ span, atMs: fromMs + tookMs, level: 'info', text: `refunded order ${order}` })
  }
  return fromMs + tookMs
}

function checkAnswer(trace: SampleTrace, parent: string, atMs: number, output: string): number {
  const toMs = atMs + trace.random.whole(150, 400)
  trace.add({
    name: 'check the answer',
    parent,
    fromMs: atMs + 4,
    toMs,
    attributes: {
      'openinference.span.kind': 'EVALUATOR',
      'input.value': output,
      'output.value': '{"polite":true,"promises_kept":true}',
    },
  })
  return toMs
}
