import type { DatabaseSync } from 'node:sqlite'
import { limits } from '@assay/contract/limits.ts'
import type { AgreementQuery, DisagreementQuery } from '../port/score-agreement.ts'
import type { At, ScoredPosition } from '../positions.ts'
import { prepareRows, readRows } from './database.ts'
import type { ScoreRow } from './score-columns.ts'
import {
  agreementByEvaluator,
  comparedBoundary,
  countVerdictsOfPeople,
  disagreements,
  scannedComparedBoundary,
  verdictsOfEvaluator,
  verdictsOfPeople,
} from './statements/score-agreement.ts'
import { readTraceColumns, type TraceRow } from './trace-columns.ts'

/*
 * Reads of the agreement between evaluators and people, in a reader thread.
 */

export interface AgreementReads {
  agreement(projectId: string, query: AgreementQuery): AgreementRows
  disagreements(projectId: string, query: At<ScoredPosition, DisagreementQuery>): DisagreementRows
}

export interface AgreementRows {
  readonly rows: readonly AgreementRow[]
  readonly coverageStart: bigint
}

export type AgreementRow = readonly [
  evaluatorId: string,
  name: string,
  bothPassed: number,
  bothFailed: number,
  falsePasses: number,
  falseFails: number,
  ties: number,
]

export interface DisagreementRows {
  /** One more than `limit` if there are more. */
  readonly rows: readonly DisagreementRow[]
  /** Where the scan limit ended the page. */
  readonly stoppedAt: ScoredPosition | undefined
}

export interface DisagreementRow {
  readonly trace: TraceRow
  readonly position: ScoredPosition
  readonly evaluator: ScoreRow
  readonly people: readonly ScoreRow[]
  readonly peoplePassed: number
  readonly peopleFailed: number
}

type InSnapshot = <T>(read: () => T) => T

export function openAgreementReads(db: DatabaseSync, inSnapshot: InSnapshot): AgreementReads {
  return {
    agreement: openAgreement(db, inSnapshot),
    disagreements: openDisagreements(db, inSnapshot),
  }
}

function openAgreement(db: DatabaseSync, inSnapshot: InSnapshot): AgreementReads['agreement'] {
  const boundary = prepareRows(db, comparedBoundary)
  const byEvaluator = prepareRows(db, agreementByEvaluator)
  return (projectId, { from, to, scanLimit }) =>
    inSnapshot(() => {
      const [last] = readRows<readonly [string]>(boundary, {
        ...{ projectId, from, to, skip: scanLimit },
      })
      const coverageStart = last === undefined ? from : BigInt(last[0]) + 1n
      const limit = limits.agreementEvaluators.value
      const range = { projectId, from: coverageStart, to, limit }
      return { rows: readRows<AgreementRow>(byEvaluator, range), coverageStart }
    })
}

function openDisagreements(
  db: DatabaseSync,
  inSnapshot: InSnapshot,
): AgreementReads['disagreements'] {
  const statements = {
    boundary: prepareRows(db, scannedComparedBoundary),
    traces: prepareRows(db, disagreements),
    ofEvaluator: prepareRows(db, verdictsOfEvaluator),
    ofPeople: prepareRows(db, verdictsOfPeople),
    counts: prepareRows(db, countVerdictsOfPeople),
  }
  const readOne = (row: readonly unknown[], evaluatorId: string): DisagreementRow => {
    const [at, traceNo] = row.slice(traceColumnCount) as [string, number]
    const verdict = { traceNo, evaluatorId }
    const [evaluator] = readRows<ScoreRow>(statements.ofEvaluator, { ...verdict, limit: 1 })
    const limit = limits.disagreementScores.value
    const [counts] = readRows<readonly [number, number]>(statements.counts, verdict)
    const [peoplePassed, peopleFailed] = counts!
    return {
      trace: row.slice(0, traceColumnCount) as unknown as TraceRow,
      position: { at: BigInt(at), traceNo },
      evaluator: evaluator!,
      people: readRows<ScoreRow>(statements.ofPeople, { ...verdict, limit }),
      ...{ peoplePassed, peopleFailed },
    }
  }
  return (projectId, { evaluatorId, kind, from, to, scanLimit, limit, after }) =>
    inSnapshot(() => {
      const before = after !== undefined && after.at < to ? after : { at: to, traceNo: 0 }
      const range = { projectId, from, beforeAt: before.at, beforeNo: before.traceNo }
      const [last] = readRows<readonly [string, number]>(statements.boundary, {
        ...{ ...range, scanLimit },
      })
      const stoppedAt = last && { at: BigInt(last[0]), traceNo: last[1] }
      const found = readRows<readonly unknown[]>(statements.traces, {
        ...{ ...range, to, evaluatorId, isTie: kind === 'tie' ? 1 : 0, limit: limit + 1 },
        ...{ endAt: stoppedAt?.at ?? from, endNo: stoppedAt?.traceNo ?? 0 },
      })
      const rows = found.map((row) => readOne(row, evaluatorId))
      return { rows, stoppedAt: rows.length > limit ? undefined : stoppedAt }
    })
}

const traceColumnCount = readTraceColumns.keys.length
