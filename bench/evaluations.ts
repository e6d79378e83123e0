import { setTimeout as sleep } from 'node:timers/promises'
import { evaluateTrace } from '@assay/contract/evaluations.ts'
import { createEvaluatorCollection, listEvaluators } from '@assay/contract/evaluators.ts'
import { callAs, type RunningService, type SetUpService } from '../e2e/running-service.ts'
import { buildTraceView } from '../server/src/domain/trace-view/build-trace-view.ts'
import { sampleSpans } from '../server/src/domain/trace-view/trace-view.samples.ts'
import { deterministicEvaluators } from '../server/src/evaluators/catalogue.ts'
import { evaluateTrace as evaluateView } from '../server/src/evaluators/evaluate-trace.ts'
import { agentTrace } from './agent-trace.ts'
import type { LoadOutcome, LoadPlan } from './load.ts'
import { ms, type Row, row, thousands } from './page.ts'

type Load = (plan: Omit<LoadPlan, 'origin'>) => Promise<LoadOutcome>

const bigSpans = 10_000
const batchSpans = 500
const chosen = 20
const runs = 3

export async function evaluationRows(
  at: RunningService,
  account: SetUpService,
  load: Load,
): Promise<Row[]> {
  const rate = await resultsPerSecond()
  const big = await evaluateBig(at, account, load)
  const count = deterministicEvaluators.length
  return [
    row(
      `Results of all ${count} evaluators without a model, on traces of 20 spans with bodies, one thread`,
      '>= 2,000 results/s',
      `${thousands(rate)} results/s`,
    ),
    row(
      `${chosen} evaluators without a model on a trace of 10,000 spans with bodies, over HTTP`,
      '<= 2 s',
      `p50 ${ms(big.p50Ms)}`,
      `another client waited at most ${ms(big.othersMaxMs)} meanwhile`,
    ),
  ]
}

/** Including the time to read the spans. */
async function resultsPerSecond(): Promise<number> {
  const totals = { duration_ms: 200, tokens_in: 900, tokens_out: 40, cost_usd: 0.01 }
  const traces = Array.from({ length: 100 }, (_, n) => sampleSpans(agentTrace(20, n)))
  const evaluateAll = () => {
    for (const spans of traces) {
      const trace = { trace_id: 't', status: 'OK' as const, tags: [], ...totals }
      evaluateView(buildTraceView(trace, spans), deterministicEvaluators, { siblings: [] })
    }
  }
  evaluateAll()
  // Lets the compiler of the engine finish.
  await sleep(100)
  const startedAt = performance.now()
  let results = 0
  while (performance.now() - startedAt < 3000) {
    evaluateAll()
    results += traces.length * deterministicEvaluators.length
  }
  return (1000 * results) / (performance.now() - startedAt)
}

async function evaluateBig(at: RunningService, account: SetUpService, load: Load) {
  await sendBig(at, account)
  const call = callAs(at, account)
  const orgId = account.organization.id
  const evaluators = await call(listEvaluators, { params: { orgId }, query: {} })
  const ids = evaluators.filter((one) => one.eval_type === 'offline_deterministic')
  const collection = await call(createEvaluatorCollection, {
    params: { orgId },
    body: { name: 'Bench', evaluator_ids: ids.slice(0, chosen).map(({ id }) => id) },
  })
  const others = load({
    headers: account.session,
    ...{ clients: 1, seconds: 10, perSecond: 50 },
    work: { kind: 'read', paths: [`/projects/${account.project.id}/traces?limit=1`] },
  })
  const times: number[] = []
  for (let n = 0; n < runs; n++) {
    const startedAt = performance.now()
    const run = await call(evaluateTrace, {
      params: { projectId: account.project.id, traceId: 'agent-big' },
      body: { collection_id: collection.id },
    })
    if (run.errorCount > 0) throw new Error('an evaluator failed on the large trace')
    times.push(performance.now() - startedAt)
  }
  const { maxMs } = await others
  return { p50Ms: times.toSorted((a, b) => a - b)[Math.floor(runs / 2)]!, othersMaxMs: maxMs }
}

async function sendBig({ api }: RunningService, account: SetUpService): Promise<void> {
  const spans = agentTrace(bigSpans, 1)
  for (let start = 0; start < spans.length; start += batchSpans) {
    const answer = await fetch(`${api}/traces/ingest`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-tracing-key': account.tracing_key },
      body: JSON.stringify({
        trace_id: 'agent-big',
        spans: spans.slice(start, start + batchSpans),
      }),
    })
    if (!answer.ok) throw new Error(`the large trace was refused: ${await answer.text()}`)
  }
}
