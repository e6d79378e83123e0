import { addRoot, callModel, callTool, type SampleMessage, sampleModels } from './sample-steps.ts'
import type { SampleError, SampleTrace } from './sample-trace.ts'

/*
 * An agent that reviews changes in a loop: the model requests files and tests, several at once, until it
 * has enough. Its prompt grows with each turn and is cached by the provider.
 */

const changes = [
  'Retry payments that time out',
  'Cache the product list for a minute',
  'Move addresses to a table of their own',
  'Show prices with tax',
  'Remove the old import',
] as const

const files = [
  'src/payment.ts',
  'src/catalog.ts',
  'src/address.ts',
  'test/payment.test.ts',
] as const

const reviews = [
  'The retry doubles the charge when the first attempt succeeds late: send the same idempotency key with each attempt.',
  'Looks right. One question: who empties the cache when a product is withdrawn?',
  'The migration takes a lock on the whole table. Add the column first and fill it in batches.',
  'Tests cover the new path. I would name the function for what it returns.',
] as const

const testsFailed: SampleError = {
  type: 'ExitError',
  message: 'tests ended with exit code 1: 2 failed, 141 passed',
}
const tooLong: SampleError = {
  type: 'context_length_exceeded',
  message: 'prompt is too long: 204183 tokens > 200000 maximum',
}

export function codeReview(trace: SampleTrace): void {
  const { random, run } = trace
  const input = `Review the change "${random.pick(changes)}".`
  const root = trace.newSpanId()
  const model = run.version === '1.9.0' ? sampleModels.sonnet : sampleModels.large
  const toRoot = { spanId: root, name: 'invoke_agent reviewer', agent: 'reviewer', input }
  const messages: SampleMessage[] = [
    { role: 'system', text: 'You review changes. Read what you need, run the tests, be exact.' },
    { role: 'user', text: input },
  ]
  const rounds = random.whole(2, 6)
  const failsAt = random.chance(0.06) ? rounds - 1 : -1
  let atMs = 20
  let hiddenTokens = 3_400
  for (let round = 0; round < rounds; round += 1) {
    const answer: SampleMessage = { role: 'assistant', calls: toCalls(trace, round) }
    const cacheUsage = round === 0 ? { cacheWritten: 3_300 } : { cached: hiddenTokens - 2_000 }
    const error = round === failsAt ? { error: tooLong } : {}
    const call = { parent: root, fromMs: atMs, model, messages, answer, hiddenTokens }
    atMs = callModel(trace, { ...call, ...cacheUsage, ...error })
    if (round === failsAt) {
      addRoot(trace, { ...toRoot, toMs: atMs + 10, error: tooLong })
      return
    }
    atMs = callAll(trace, root, atMs, answer)
    hiddenTokens += random.whole(2_000, 9_000)
  }
  const output = random.pick(reviews)
  const answer: SampleMessage = { role: 'assistant', text: output }
  const reasoning = random.whole(200, 1_400)
  const call = { parent: root, fromMs: atMs, model, messages, answer, hiddenTokens }
  atMs = callModel(trace, { ...call, cached: hiddenTokens - 2_000, reasoning })
  trace.log({
    span: root,
    atMs,
    level: 'info',
    text: 'review written',
    attributes: { rounds, words: output.split(' ').length },
  })
  addRoot(trace, { ...toRoot, toMs: atMs + 10, output })
}

function toCalls({ random }: SampleTrace, round: number) {
  const reads = Array.from({ length: random.whole(1, 3) }, (_, place) => ({
    id: `call_${round}_${place}`,
    name: 'read_file',
    arguments: { path: random.pick(files), from_line: random.whole(1, 300) },
  }))
  const tests = { id: `call_${round}_9`, name: 'run_tests', arguments: { only: 'changed' } }
  return round > 0 && random.chance(0.5) ? [...reads, tests] : reads
}

function callAll(
  trace: SampleTrace,
  parent: string,
  atMs: number,
  { calls = [] }: SampleMessage,
): number {
  const { random } = trace
  const ends = calls.map((call) => {
    const fromMs = atMs + random.whole(2, 9)
    if (call.name === 'read_file') {
      const tookMs = random.whole(3, 40)
      const result = { text: 'export async function pay(order: Order): Promise<Receipt> { …' }
      callTool(trace, { parent, fromMs, call, tookMs, result })
      return fromMs + tookMs
    }
    const tookMs = random.whole(2_500, 14_000)
    const ran = { parent, fromMs, call, tookMs }
    const isFailed = random.chance(0.25)
    const span = callTool(
      trace,
      isFailed ? { ...ran, error: testsFailed } : { ...ran, result: { passed: 143 } },
    )
    trace.log({
      span,
      atMs: fromMs + tookMs - 2,
      level: isFailed ? 'error' : 'info',
      text: isFailed ? testsFailed.message : '143 passed',
    })
    return fromMs + tookMs
  })
  return Math.max(atMs, ...ends) + 6
}
