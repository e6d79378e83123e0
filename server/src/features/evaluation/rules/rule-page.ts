import type { RuleFilters } from '@assay/contract/evaluation-rules.ts'
import { limits } from '@assay/contract/limits.ts'
import { parseInstant } from '../../../domain/instant.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Timestamp } from '../../../storage/accounts/column-types.ts'
import type { Accounts } from '../../../storage/accounts/connect.ts'
import type { EvaluationRuleRow } from '../../../storage/accounts/evaluation-tables.ts'
import type {
  SettledPosition,
  SettledTrace,
  SettledTracePage,
} from '../../../storage/telemetry/port/settling.ts'
import type { TelemetryStore } from '../../../storage/telemetry/port/store.ts'
import { toTraceFilters } from '../../../storage/telemetry/port/trace-filters.ts'
import { backgroundRequester } from '../background-requester.ts'
import { isJudgeCall } from '../judges/judge-span.ts'
import type { UnstoredScore } from '../unstored-scores.ts'
import { addOutcome, isSampled, ruleRunId, type TraceOutcome } from './rule-progress.ts'

/*
 * The settled traces that a rule is to evaluate, a page at a time, and how the rule advances over them. The position of a
 * rule and its counts are stored together, so that each trace is decided once.
 */

export interface RulePagePorts {
  readonly telemetry: TelemetryStore
  readonly clock: Clock
  readonly accounts: Pick<Accounts, 'evaluationRules'>
  /** How long a trace waits for late spans. */
  readonly evaluationDelayMs: number
}

const tracesPerPage = 200
const listDeadlineMs = 20_000

/** The traces of a page that are to be evaluated, read when the rule was at `from`. */
export interface RulePage {
  readonly from: string | null
  readonly ruleUpdatedAt: Timestamp
  /** When the rule had last evaluated a trace before the first one of the page. */
  readonly evaluatedAt: Timestamp | null
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

/**
 * The page that the job has stored, while the rule is at its start. A rule that was edited reads its page again, once
 * results that were paid for are stored.
 */
export function currentPage(
  page: RulePage | null | undefined,
  { position, updated_at }: EvaluationRuleRow,
): RulePage | undefined {
  if (page?.from !== position) return undefined
  return page.unstored !== undefined || page.ruleUpdatedAt === updated_at ? page : undefined
}

/** When the rule had last evaluated a trace before it came to its position. */
export function evaluatedBefore(
  page: RulePage | null | undefined,
  { position, last_evaluated_at }: EvaluationRuleRow,
): Timestamp | null {
  return page?.from === position ? page.evaluatedAt : last_evaluated_at
}

/** Null: nothing on the page is for the rule. Undefined: there is no page. */
export async function readPage(
  before: RulePage | null | undefined,
  rule: EvaluationRuleRow,
  signal: AbortSignal,
  ports: RulePagePorts,
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
    const progress = addOutcome(rule, { ...end, skipped }, ports.clock.now().toISOString())
    await ports.accounts.evaluationRules.advance(rule, progress, rule.updated_at)
    return null
  }
  return {
    ...{ from: rule.position, ruleUpdatedAt: rule.updated_at },
    evaluatedAt: evaluatedBefore(before, rule),
    traces: wanted.map((one) => ({ traceId: one.trace.traceId, ...toStored(one) })),
    end: toStored(end),
  }
}

/** Without those that the rule has evaluated and that changed since. */
async function countUnevaluated(
  traces: readonly SettledTrace[],
  { id, organization_id, project_id }: EvaluationRuleRow,
  { telemetry }: RulePagePorts,
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

/**
 * Stores the outcome of the first trace and returns the page without it; null after the last one. If another step has, or
 * the rule was enabled again, nothing is stored, and the next step reads the position of the rule again.
 */
export async function finishTrace(
  page: RulePage,
  outcome: TraceOutcome,
  rule: EvaluationRuleRow,
  { accounts, clock }: RulePagePorts,
): Promise<RulePage | null> {
  const [first, ...traces] = page.traces
  if (first === undefined) throw new Error('a page without traces has none to finish')
  const now = clock.now().toISOString()
  const progressTo = ({ position, settledAt }: StoredPosition) =>
    addOutcome(rule, { ...outcome, position, settledAt: BigInt(settledAt) }, now)
  const isLast = traces.length === 0
  // Behind the last trace, the page has nothing for the rule, unless it was edited since: then it reads that part again.
  const isAtEnd =
    isLast &&
    (await accounts.evaluationRules.advance(rule, progressTo(page.end), page.ruleUpdatedAt))
  if (isAtEnd) return null
  const progress = progressTo(first)
  await accounts.evaluationRules.advance(rule, progress)
  if (isLast) return null
  const place = { from: first.position, evaluatedAt: progress.last_evaluated_at }
  return { ...page, ...place, traces, unstored: undefined }
}

export async function readSettled(
  rule: EvaluationRuleRow,
  size: { readonly scanLimit: number; readonly countLimit: number },
  signal: AbortSignal,
  { telemetry, clock, evaluationDelayMs }: RulePagePorts,
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
