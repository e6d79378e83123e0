import { id } from '@assay/contract/fields.ts'
import { z } from 'zod'
import { type DefinedJob, defineJob, type StepInput } from '../../../jobs/define-job.ts'
import { type JobProgress, newJobRow } from '../../../jobs/job-row.ts'
import type { Accounts } from '../../../storage/accounts/connect.ts'
import type { EvaluationRuleRow } from '../../../storage/accounts/evaluation-tables.ts'
import { decide, findTarget, type RuleEvaluationPorts } from './rule-evaluation.ts'
import {
  currentPage,
  finishTrace,
  type RulePage,
  type RulePagePorts,
  readPage,
  readSettled,
} from './rule-page.ts'

/*
 * Evaluates new traces by the rules of their projects, once they have settled. One job looks for rules with settled
 * traces and starts a job for each; that one evaluates a trace per step until it has caught up. Results that cannot be
 * stored wait in the position of the job, and no further trace is evaluated meanwhile.
 */

export interface RuleJobPorts extends RuleEvaluationPorts, RulePagePorts {
  readonly accounts: RuleEvaluationPorts['accounts'] & Pick<Accounts, 'jobs'>
}

const rulesPerStep = 50
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
      const first = page?.traces[0]
      if (page === undefined || first === undefined) {
        const read = await readPage(position, rule, signal, ports)
        return read === undefined ? { isDone: true, progress } : { position: read, progress }
      }
      const decided = await decide(first.traceId, page, rule, job, ports)
      if (decided === 'stopped') return { isDone: true, progress }
      if ('unstored' in decided) {
        const resumeInMs = everyMs(ports.evaluationDelayMs)
        return { position: { ...page, ...decided }, progress, resumeInMs }
      }
      const { waitedMs = 0, ...outcome } = decided
      return {
        position: await finishTrace(page, outcome, rule, ports),
        progress: { ...progress, done: progress.done + 1 },
        waitedMs,
      }
    },
  })
}
