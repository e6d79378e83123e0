import type { RuleFilters } from '@assay/contract/evaluation-rules.ts'
import { id } from '@assay/contract/fields.ts'
import { limits } from '@assay/contract/limits.ts'
import { z } from 'zod'
import { parseInstant } from '../../../domain/instant.ts'
import type { Score } from '../../../domain/score.ts'
import { type DefinedJob, defineJob, type StepInput } from '../../../jobs/define-job.ts'
import { type JobProgress, newJobRow } from '../../../jobs/job-row.ts'
import type { Models } from '../../../model-gateway/models.ts'
import { Unavailable } from '../../../platform/failure.ts'
import type { Accounts } from '../../../storage/accounts/connect.ts'
import type { EvaluationRuleRow } from '../../../storage/accounts/evaluation-tables.ts'
import type { ScoreRun } from '../../../storage/telemetry/port/scores.ts'
import type {
  SettledPosition,
  SettledTrace,
  SettledTracePage,
} from '../../../storage/telemetry/port/settling.ts'
import { toTraceFilters } from '../../../storage/telemetry/port/trace-filters.ts'
import { backgroundRequester } from '../background-requester.ts'
import { type EvaluatePorts, type Evaluation, runEvaluation } from '../evaluate.ts'
import { loadCollections } from '../evaluators/evaluators.ts'
import {
  type JudgeBudget,
  openJudgeBudgetWithin,
  openSharedJudgeBudget,
} from '../judges/judge-budget.ts'
import { isJudgeCall } from '../judges/judge-span.ts'
import { parseScores, serializeScores, type UnstoredScore } from '../unstored-scores.ts'
import {
  addCost,
  addOutcome,
  countsOfDay,
  isCounted,
  isSampled,
  type RuleOutcome,
  ruleRunId,
} from './rule-progress.ts'
import { findRuleTarget, type RuleTarget } from './rule-target.ts'

/*
 * Evaluates new traces by the rules of their projects, once they have settled. One job looks for rules with settled
 * traces and starts a job for each; that one evaluates a trace per step until it has caught up. The position of a rule
 * and its counts are stored together, so that each trace is decided once; the run id of a rule and a trace is always the
 * same, so that a step that was interrupted finds its results. Results that cannot be stored wait in the position of the
 * job, and no further trace is evaluated meanwhile.
 */

export interface RuleJobPorts extends EvaluatePorts {
  readonly models: Models
  readonly accounts: Pick<
    Accounts,
    'evaluators' | 'evaluatorCollections' | 'evaluationRules' | 'jobs'
  >
  /** How long a trace waits for late spans. */
  readonly evaluationDelayMs: number
}

const rulesPerStep = 50
const tracesPerPage = 200
/** A trace that fails as often, or kills the process, is skipped. The delays between attempts add up to a minute. */
const attemptsPerTrace = 6
const listDeadlineMs = 20_000
/** Between looks for settled traces, and whether the store is available again. Not so short that an idle service is busy. */
const everyMs = (delayMs: number) => Math.min(10_000, Math.max(50, delayMs / 3))

const noInput = z.object({})

/** Starts the jobs of the rules that have something to do. */
export function findRuleWorkJob(ports: RuleJobPorts): DefinedJob {
  return defineJob<Record<string, never>, { after: string }, JobProgress>({
    kind: 'evaluation_rules',
    input: noInput,
    everyMs: everyMs(ports.evaluationDelayMs),
    async step({ progress, signal }, { after } = { after: '' }) {
      const rules = await ports.accounts.evaluationRules.listEnabled(after, rulesPerStep)
      for (const rule of rules) {
        signal.throwIfAborted()
        await startIfDue(rule, signal, ports)
      }
      const last = rules.at(-1)
      if (last === undefined || rules.length < rulesPerStep) return { isDone: true, progress }
      return { position: { after: last.id }, progress }
    },
  })
}

async function startIfDue(
  rule: EvaluationRuleRow,
  signal: AbortSignal,
  ports: RuleJobPorts,
): Promise<void> {
  try {
    const { end } = await readSettled(rule, { scanLimit: 1, countLimit: 1 }, signal, ports)
    if (end === undefined || (await findTarget(rule, ports)).problem !== null) return
    const { organization_id: organizationId, project_id: projectId, id: ruleId } = rule
    const uniqueKey = `${ruleKind.kind} ${ruleId}`
    const job = newJobRow(
      ruleKind,
      { organizationId, projectId, uniqueKey, input: { ruleId } },
      ports.clock.now().toISOString(),
    )
    await ports.accounts.jobs.insert(job)
  } catch (error) {
    if (signal.aborted) throw error
    // Others do not wait for it: it is due again next time.
    ports.log.error('the traces of an evaluation rule could not be read', error, {
      ruleId: rule.id,
    })
  }
}

const ruleKind = { kind: 'evaluation_rule', input: z.object({ ruleId: id }) }
type Step = StepInput<z.output<typeof ruleKind.input>, JobProgress>

/** The traces of a page that are to be evaluated, read when the rule was at `from`. */
interface RulePage {
  readonly from: string | null
  readonly ruleUpdatedAt: string
  readonly traces: readonly PlacedTrace[]
  /** Where the page ends. */
  readonly end: StoredPosition
  /** The results of the first trace, which could not be stored. Their cost is counted. */
  readonly unstored?: readonly UnstoredScore[] | undefined
}

/** A `SettledPosition` as JSON. */
interface StoredPosition {
  readonly position: string
  readonly settledAt: string
}

interface PlacedTrace extends StoredPosition {
  readonly traceId: string
}

type TraceOutcome = Omit<RuleOutcome, 'position' | 'settledAt'> & { readonly waitedMs?: number }

/** The store is unavailable. */
interface Waiting {
  readonly unstored: RulePage['unstored']
}

export function ruleJob(ports: RuleJobPorts): DefinedJob {
  const { accounts } = ports
  return defineJob<Step['input'], RulePage | null, JobProgress>({
    ...ruleKind,
    waitsFor: 'models',
    async step(job: Step, position) {
      const { progress, signal } = job
      const rule = await accounts.evaluationRules.find(job.projectId ?? '', job.input.ruleId)
      if (rule === undefined || rule.is_enabled === 0) return { isDone: true, progress }
      const page = currentPage(position, rule)
      const [first, ...traces] = page?.traces ?? []
      if (page === undefined || first === undefined) {
        const read = await readPage(rule, signal, ports)
        return read === undefined ? { isDone: true, progress } : { position: read, progress }
      }
      const decided = await decide(first.traceId, page, rule, job, ports)
      if (decided === 'stopped') return { isDone: true, progress }
      if ('unstored' in decided) {
        const resumeInMs = everyMs(ports.evaluationDelayMs)
        return { position: { ...page, ...decided }, progress, resumeInMs }
      }
      const { waitedMs = 0, ...outcome } = decided
      // Behind the last trace, the page has nothing for the rule.
      const { position: from, settledAt } = traces.length === 0 ? page.end : first
      await advance(rule, { ...outcome, position: from, settledAt: BigInt(settledAt) }, ports)
      const next = { ...page, from, traces, unstored: undefined }
      return {
        position: traces.length === 0 ? null : next,
        progress: { ...progress, done: progress.done + 1 },
        waitedMs,
      }
    },
  })
}

/** A rule that was edited reads its page again, once results that were paid for are stored. */
function currentPage(
  page: RulePage | null | undefined,
  { position, updated_at }: EvaluationRuleRow,
): RulePage | undefined {
  if (page?.from !== position) return undefined
  return page.unstored !== undefined || page.ruleUpdatedAt === updated_at ? page : undefined
}

async function decide(
  traceId: string,
  { unstored }: RulePage,
  rule: EvaluationRuleRow,
  job: Step,
  ports: RuleJobPorts,
): Promise<TraceOutcome | Waiting | 'stopped'> {
  if (unstored !== undefined) {
    const outcome = await storeResults(traceId, parseScores(unstored), rule, job, ports)
    return outcome === 'unavailable' ? { unstored } : outcome
  }
  const target = await findTarget(rule, ports)
  if (target.problem !== null) return 'stopped'
  const stored = await findRun(traceId, rule, ports)
  if (stored === 'unavailable') return { unstored }
  if (stored !== undefined) return outcomeOf(stored, rule)
  return await evaluateOnce(traceId, rule, target, job, ports)
}

/** Null: nothing on the page is for the rule. Undefined: there is no page. */
async function readPage(
  rule: EvaluationRuleRow,
  signal: AbortSignal,
  ports: RuleJobPorts,
): Promise<RulePage | null | undefined> {
  const backlogMax = limits.evaluationRuleBacklog.value
  const size = { scanLimit: tracesPerPage, countLimit: backlogMax + 1 }
  const { traces, end, remaining } = await readSettled(rule, size, signal, ports)
  if (end === undefined) return undefined
  const wanted = traces.filter(
    ({ trace }) => !isJudgeCall(trace) && isSampled(rule.id, trace.traceId, rule.sample_rate),
  )
  const isBehind = remaining > backlogMax
  if (wanted.length === 0 || isBehind) {
    const skipped = await countUnevaluated(wanted, rule, ports)
    await advance(rule, { ...end, skipped }, ports)
    return null
  }
  return {
    ...{ from: rule.position, ruleUpdatedAt: rule.updated_at },
    traces: wanted.map((one) => ({ traceId: one.trace.traceId, ...toStored(one) })),
    end: toStored(end),
  }
}

/** Without those that the rule has evaluated and that changed since. */
async function countUnevaluated(
  traces: readonly SettledTrace[],
  { id, organization_id, project_id }: EvaluationRuleRow,
  { telemetry }: RuleJobPorts,
): Promise<number> {
  const requester = backgroundRequester(organization_id)
  let count = 0
  for (const { trace } of traces) {
    const runId = ruleRunId(id, trace.traceId)
    const run = await telemetry.findScoreRun(project_id, trace.traceId, runId, { requester })
    if (run === undefined) count += 1
  }
  return count
}

function toStored({ position, settledAt }: SettledPosition): StoredPosition {
  return { position, settledAt: String(settledAt) }
}

/** What the rule has stored of the trace. While nothing can be read, that is no failure of the trace. */
async function findRun(
  traceId: string,
  { id, organization_id, project_id }: EvaluationRuleRow,
  { telemetry }: RuleJobPorts,
): Promise<ScoreRun | undefined | 'unavailable'> {
  const requester = backgroundRequester(organization_id)
  try {
    return await telemetry.findScoreRun(project_id, traceId, ruleRunId(id, traceId), { requester })
  } catch (error) {
    if (error instanceof Unavailable) return 'unavailable'
    throw error
  }
}

/** Of a run that an earlier step has stored. */
function outcomeOf({ scores }: ScoreRun, rule: EvaluationRuleRow): TraceOutcome {
  const [first] = scores
  if (first === undefined || isCounted(rule, first.createdAt)) return {}
  return { evaluated: 1, costUsd: scores.reduce((sum, one) => sum + (one.costUsd ?? 0), 0) }
}

/** Evaluates the trace, unless it has failed too often. */
async function evaluateOnce(
  traceId: string,
  rule: EvaluationRuleRow,
  target: RuleTarget,
  job: Step,
  ports: RuleJobPorts,
): Promise<TraceOutcome | Waiting> {
  if (job.attempt > attemptsPerTrace) {
    ports.log.warn('a trace failed too often and is skipped by a rule', {
      ruleId: rule.id,
      traceId,
    })
    return { skipped: 1 }
  }
  const { model } = target
  const { costUsd: usedUsd } = countsOfDay(rule, ports.clock.now().toISOString())
  const remainingUsd = rule.max_cost_usd_per_day - usedUsd
  if (model !== undefined && remainingUsd <= 0) return { skipped: 1 }
  const budget = openJudgeBudgetWithin(openSharedJudgeBudget(remainingUsd), ports.judgeBudgetUsd)
  const startedAt = performance.now()
  const evaluation = await runOnce(traceId, rule, target, { ...job, budget }, ports)
  const waitedMs = model === undefined ? 0 : performance.now() - startedAt
  const cost = { costUsd: budget.usedUsd(), waitedMs }
  if (evaluation === 'failed') return { skipped: 1, ...cost }
  // Without an evaluation, the trace was removed.
  if (evaluation === undefined) return cost
  const outcome = await storeResults(traceId, evaluation.scores, rule, job, ports)
  if (outcome !== 'unavailable') return { ...outcome, ...cost }
  ports.log.warn('results of a rule wait until they can be stored', { ruleId: rule.id, traceId })
  await keepCost(rule, cost.costUsd, ports)
  return { unstored: serializeScores(evaluation.scores) }
}

/** Rejects if the evaluation is to be repeated. */
async function runOnce(
  traceId: string,
  rule: EvaluationRuleRow,
  { evaluators, model }: RuleTarget,
  { signal, budget }: Step & { readonly budget: JudgeBudget },
  ports: RuleJobPorts,
): Promise<Evaluation | undefined | 'failed'> {
  const { organization_id: organizationId, project_id: projectId } = rule
  const runId = ruleRunId(rule.id, traceId)
  try {
    return await runEvaluation(
      {
        ...{ organizationId, projectId, traceId, evaluators, model, runId, signal },
        ...{ authorId: null, requester: backgroundRequester(organizationId) },
        judgeShare: { budget, callsAtOnce: limits.bulkEvaluationCalls.value },
      },
      ports,
    )
  } catch (error) {
    if (error instanceof Unavailable || signal.aborted) {
      await keepCost(rule, budget.usedUsd(), ports)
      throw error
    }
    logFailure(error, traceId, rule, ports)
    return 'failed'
  }
}

/** The results of an evaluation, which can be stored again if it is not known whether they are. */
async function storeResults(
  traceId: string,
  scores: readonly Score[],
  rule: EvaluationRuleRow,
  { signal }: Step,
  ports: RuleJobPorts,
): Promise<TraceOutcome | 'unavailable'> {
  try {
    const { missingTraceIds } = await ports.telemetry.recordScores(rule.project_id, scores)
    return { evaluated: missingTraceIds.length > 0 ? 0 : 1 }
  } catch (error) {
    if (error instanceof Unavailable || signal.aborted) return 'unavailable'
    logFailure(error, traceId, rule, ports)
    return { skipped: 1 }
  }
}

function logFailure(
  error: unknown,
  traceId: string,
  { id: ruleId }: EvaluationRuleRow,
  { log }: RuleJobPorts,
): void {
  log.error('a trace could not be evaluated by a rule', error, { ruleId, traceId })
}

/** Calls are paid for too whose results are not stored yet, or never. */
async function keepCost(
  rule: EvaluationRuleRow,
  costUsd: number,
  { accounts, clock }: RuleJobPorts,
): Promise<void> {
  if (costUsd === 0) return
  await accounts.evaluationRules.advance(rule, addCost(rule, costUsd, clock.now().toISOString()))
}

async function advance(
  rule: EvaluationRuleRow,
  outcome: RuleOutcome,
  { accounts, clock }: RuleJobPorts,
): Promise<void> {
  const progress = addOutcome(rule, outcome, clock.now().toISOString())
  // If another step has, or the rule was enabled again, the next step reads its position again.
  await accounts.evaluationRules.advance(rule, progress)
}

async function readSettled(
  rule: EvaluationRuleRow,
  size: { readonly scanLimit: number; readonly countLimit: number },
  signal: AbortSignal,
  { telemetry, clock, evaluationDelayMs }: RuleJobPorts,
): Promise<SettledTracePage> {
  const filters = toTraceFilters(JSON.parse(rule.filters) as RuleFilters)
  const delayMs = Math.max(evaluationDelayMs, telemetry.listedWithinMs())
  const until = BigInt(clock.now().getTime() - delayMs) * 1_000_000n
  const query = {
    ...{ ...size, filters, until, receivedSince: parseInstant(rule.active_since) },
    ...(rule.position !== null && { after: rule.position }),
  }
  const options = {
    signal,
    deadlineMs: listDeadlineMs,
    requester: backgroundRequester(rule.organization_id),
  }
  return await telemetry.listSettledTraces(rule.project_id, query, options)
}

async function findTarget(
  rule: EvaluationRuleRow,
  { accounts, models }: RuleJobPorts,
): Promise<RuleTarget> {
  const { organization_id: organizationId, collection_id: collectionId } = rule
  const [collection] = await loadCollections(organizationId, [collectionId], accounts)
  return await findRuleTarget(rule, collection, models)
}
