import { setTimeout as sleep } from 'node:timers/promises'
import type { RunOptions } from '../../e2e/running-service.ts'
import { type Audit, audit, auditConditions, describeAudit } from './audit.ts'
import { type Conditions, judge, type Outcome } from './fault.ts'
import type { Ledger } from './ledger.ts'
import { type Rig, withRig } from './rig.ts'
import type { WriterPlan, Writers } from './writers.ts'

/*
 * What most rows have in common: writers write while something goes wrong, then the ledger is compared with the service.
 */

export interface Through<Happened> {
  /** What the fault returned. */
  readonly happened: Happened
  readonly ledger: Ledger
  readonly found: Audit
  /** Until all totals were right. */
  readonly repairedMs: number
  /** Whether the service still runs at the end. */
  readonly isRunning: boolean
}

/** From the end of the fault to that of the writers. */
const afterwardsMs = 500

/**
 * The fault may stop the writers itself. For so many milliseconds, totals may be wrong of traces whose batches had no
 * response.
 */
export async function throughFault<Happened>(
  options: RunOptions,
  plan: Partial<WriterPlan>,
  fault: (rig: Rig, writers: Writers) => Promise<Happened>,
  repairMs = 0,
): Promise<Through<Happened>> {
  return await withRig(options, async (rig) => {
    const writers = rig.startWriters(plan)
    const happened = await fault(rig, writers)
    await sleep(afterwardsMs)
    await writers.stop()
    const auditedFrom = performance.now()
    const read = () => audit(rig.service(), rig.owner, rig.ledger)
    let found = await read()
    while (found.wrongTotals > 0 && performance.now() - auditedFrom < repairMs) {
      await sleep(1000)
      found = await read()
    }
    const repairedMs = performance.now() - auditedFrom
    return { happened, ledger: rig.ledger, found, repairedMs, isRunning: rig.isRunning() }
  })
}

/** As `judge`, with what the audit found between what happened and further measurements. */
export function judgeThrough(
  { found, isRunning }: Through<unknown>,
  what: string,
  measurements: readonly string[],
  conditions: Conditions = {},
  times: Conditions = {},
): Outcome {
  const measured = `${what}: ${[describeAudit(found), ...measurements].join('; ')}`
  const always = { ...auditConditions(found), 'the service still runs': isRunning }
  return judge(measured, { ...always, ...conditions }, times)
}
