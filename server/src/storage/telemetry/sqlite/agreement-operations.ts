import type {
  Disagreement,
  DisagreementPage,
  EvaluatorAgreement,
  ScoreAgreement,
} from '../port/score-agreement.ts'
import { decodeAfter, decodeScored, encodeScored } from '../positions.ts'
import type { AgreementRow, DisagreementRow, DisagreementRows } from './agreement-reads.ts'
import type { ReaderPool } from './reader-pool.ts'
import { toScore } from './score-columns.ts'
import { toTrace } from './trace-columns.ts'

/*
 * The store's operations on the agreement between evaluators and people, on the main thread.
 */

interface Dependencies {
  readonly pool: Pick<ReaderPool, 'scan'>
  /** Throws once the store is closed. */
  readonly checkOpen: () => void
}

export function agreementOperations({ pool, checkOpen }: Dependencies): ScoreAgreement {
  return {
    async readAgreement(projectId, query, options) {
      checkOpen()
      const { rows, coverageStart } = await pool.scan('agreement', [projectId, query], options)
      return { evaluators: rows.map(toAgreement), coverageStart }
    },
    async listDisagreements(projectId, query, options) {
      checkOpen()
      const decoded = decodeAfter(query, decodeScored)
      const found = await pool.scan('disagreements', [projectId, decoded], options)
      return disagreementPage(projectId, found, query.limit)
    },
  }
}

function toAgreement([
  evaluatorId,
  name,
  bothPassed,
  bothFailed,
  falsePasses,
  falseFails,
  ties,
]: AgreementRow): EvaluatorAgreement {
  return { evaluatorId, name, bothPassed, bothFailed, falsePasses, falseFails, ties }
}

function disagreementPage(
  projectId: string,
  { rows, stoppedAt }: DisagreementRows,
  limit: number,
): DisagreementPage {
  const page = rows.slice(0, limit)
  const next = rows.length > limit ? page.at(-1)?.position : stoppedAt
  return {
    disagreements: page.map((row) => toDisagreement(projectId, row)),
    next: next && encodeScored(next),
    isComplete: stoppedAt === undefined,
  }
}

function toDisagreement(projectId: string, row: DisagreementRow): Disagreement {
  const trace = toTrace(projectId, row.trace)
  return {
    trace,
    evaluator: toScore(trace.traceId, row.evaluator),
    people: row.people.map((columns) => toScore(trace.traceId, columns)),
    ...{ peoplePassed: row.peoplePassed, peopleFailed: row.peopleFailed },
  }
}
