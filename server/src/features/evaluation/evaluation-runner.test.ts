import { setImmediate } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import type { TraceVerdict } from '../../evaluators/evaluate-trace.ts'
import { openDeadline } from '../../platform/deadline.ts'
import { Unavailable } from '../../platform/failure.ts'
import { openLog } from '../../platform/log.ts'
import {
  type EvaluationRunner,
  type EvaluationRunnerOptions,
  type EvaluationTask,
  openEvaluationRunner,
} from './evaluation-runner.ts'

const { signal } = new AbortController()
const requester = ['acme', 'ada'] as const
let runner: EvaluationRunner
let logged: string[]

function open(options: Partial<EvaluationRunnerOptions> = {}) {
  logged = []
  runner = openEvaluationRunner({ log: openLog('error', (line) => logged.push(line)), ...options })
}
afterEach(() => runner.close())

const inTime = () => openDeadline(signal, Date.now() + 600_000)

async function run(task: EvaluationTask, time = inTime()) {
  return await runner.run(requester, time, task).finally(() => time.end())
}

const chosen = ['quality.output-present', 'performance.latency', 'bias.counterfactual-gap']

/** A trace with `output`, JSON, as the output of its only span. */
function taskWith(output: string): EvaluationTask {
  const trace = { trace_id: 't', status: 'OK', duration_ms: 1, cost_usd: 0 } as const
  const span = `{"span_id":"a","parent_span_id":null,"name":"run","kind":"agent","status":"OK","status_message":null,"started_at":"2026-01-01T00:00:00Z","ended_at":"2026-01-01T00:00:01Z","attributes":{},"events":[],"input":null,"output":${output}}`
  return {
    trace: { ...trace, tags: [], tokens_in: 0, tokens_out: 0 },
    pages: [new TextEncoder().encode(`[${span}]`)],
    evaluators: chosen.map((key) => ({ key })),
    siblings: [],
  }
}

/** Small as text, and several times as large as values: one list, which also ends the process of a thread. */
const hugeTask = () => taskWith(`[${'[],'.repeat(2_500_000)}[]]`)
const smallTask = () => taskWith('"Oslo."')

const reasonings = (verdicts: readonly TraceVerdict[]) =>
  verdicts.map(({ verdict }) => 'reasoning' in verdict && verdict.reasoning)
const statuses = (verdicts: readonly TraceVerdict[]) =>
  verdicts.map(({ verdict }) => 'status' in verdict && verdict.status)

test('two evaluations of an organization hold their traces at once, and others still get a turn', async () => {
  open()
  const { promise: end, resolve: finish } = Promise.withResolvers<void>()
  const started: string[] = []
  const evaluateFor = (owner: string) =>
    runner.inTurn({ owner, signal }, () => {
      started.push(owner)
      return end
    })
  const many = Array.from({ length: 10 }, () => evaluateFor('many'))
  const one = evaluateFor('one')
  // Whoever has a turn has started by then.
  await setImmediate()
  expect(started.toSorted()).toEqual(['many', 'many', 'one'])
  finish()
  await Promise.all([...many, one])
  expect(started).toHaveLength(11)
})

// Each starts up to four processes, which have a lower priority than everything else on a busy machine.
describe('a trace that exhausts the memory while it is read', { timeout: 60_000 }, () => {
  test('is tried twice, has results that report it, and does not affect the next trace', async () => {
    open({ maxHeapMb: 64 })
    const huge = run(hugeTask())
    const next = run(smallTask())
    expect(statuses(await next)).toEqual(['scored', 'scored', 'not_applicable'])
    const text = 'the trace needs more memory than evaluators may use.'
    expect(reasonings(await huge)).toEqual([text, text, text])
    // A process is reported once all that it has written was read.
    await expect.poll(() => logged).toHaveLength(2)
  })

  test('as another trace of the pair costs the result of the comparison only', async () => {
    open({ maxHeapMb: 64 })
    const verdicts = await run({ ...smallTask(), siblings: [hugeTask()] })
    expect(statuses(verdicts)).toEqual(['scored', 'scored', 'error'])
    expect(reasonings(verdicts)[2]).toContain('needs more memory')
  })
})

test('an evaluation after its time has an error of kind timeout for each evaluator', async () => {
  open()
  const verdicts = await run(smallTask(), openDeadline(signal, Date.now()))
  expect(statuses(verdicts)).toEqual(['error', 'error', 'error'])
  expect(new Set(reasonings(verdicts))).toEqual(new Set([expect.stringMatching(/^timeout: /)]))
})

test('an evaluation that a shutdown interrupts is rejected, not one without results', async () => {
  open()
  const interrupted = Promise.allSettled([run(smallTask())])
  await runner.close()
  const refused = { status: 'rejected', reason: expect.any(Unavailable) }
  expect(await interrupted).toEqual([refused])
})
