import { limits } from '@assay/contract/limits.ts'
import type { Score } from '../../../domain/score.ts'
import type {
  AgreementPage,
  AgreementQuery,
  Disagreement,
  DisagreementPage,
  DisagreementQuery,
  ScoreAgreement,
} from '../port/score-agreement.ts'
import {
  type At,
  decodeAfter,
  decodeTime,
  encodeTime,
  lastInstant,
  type TimePosition,
} from '../positions.ts'
import type { Connection, StatementOptions } from './connection.ts'
import type { Engine } from './engine.ts'
import { scoreColumns } from './score-columns.ts'
import {
  agreementByEvaluator,
  comparedBoundary,
  disagreements,
  verdictsOnTraces,
} from './statements/score-agreement.ts'
import { readTraceColumns, toTrace } from './trace-columns.ts'

/*
 * The operations of the port on the agreement between evaluators and people. The engine compares all scores of the range,
 * so that no page of disagreements ends early.
 */

export function agreementOperations({ connection, read }: Engine): ScoreAgreement {
  return {
    async readAgreement(projectId, query, options) {
      return await read(projectId, options, (statement) =>
        readAgreement(connection, projectId, query, statement),
      )
    },
    async listDisagreements(projectId, query, options) {
      const decoded = decodeAfter(query, decodeTime)
      return await read(projectId, options, (statement) =>
        listDisagreements(connection, projectId, decoded, statement),
      )
    },
  }
}

async function readAgreement(
  connection: Connection,
  projectId: string,
  { from, to, scanLimit }: AgreementQuery,
  options: StatementOptions,
): Promise<AgreementPage> {
  const of = { project: projectId, from, to }
  const [last] = await connection.rows(comparedBoundary, { ...of, skip: scanLimit }, options)
  const coverageStart = last === undefined ? from : BigInt(String(last[0])) + 1n
  const limit = limits.agreementEvaluators.value
  const covered = { ...of, from: coverageStart, limit }
  const rows = await connection.rows(agreementByEvaluator, covered, options)
  const evaluators = rows.map(([evaluatorId, name, ...counts]) => {
    const [bothPassed, bothFailed, falsePasses, falseFails, ties] = counts.map(Number)
    return {
      ...{ evaluatorId: String(evaluatorId), name: String(name) },
      ...{ bothPassed: bothPassed!, bothFailed: bothFailed!, falsePasses: falsePasses! },
      ...{ falseFails: falseFails!, ties: ties! },
    }
  })
  return { evaluators, coverageStart }
}

const votesColumn = readTraceColumns.count

async function listDisagreements(
  connection: Connection,
  projectId: string,
  { evaluatorId, kind, from, to, limit, after }: At<TimePosition, DisagreementQuery>,
  options: StatementOptions,
): Promise<DisagreementPage> {
  const rows = await connection.rows(
    disagreements,
    {
      ...{ project: projectId, evaluator: evaluatorId, from, to, isTie: String(kind === 'tie') },
      ...{ afterAt: after?.at ?? lastInstant, afterId: after?.id ?? '', limit: limit + 1 },
    },
    options,
  )
  const page = rows.slice(0, limit)
  const traces = page.map((row) => toTrace(projectId, row))
  const ids = traces.map(({ traceId }) => traceId)
  const scores = await readVerdicts(connection, projectId, evaluatorId, ids, options)
  const found = page.flatMap((row, index): readonly Disagreement[] => {
    const trace = traces[index]!
    const own = scores.get(trace.traceId) ?? []
    const evaluator = own.find(({ source }) => source === 'evaluator')
    // Removed since the trace was found.
    if (evaluator === undefined) return []
    const people = own.filter(({ source }) => source === 'person')
    const [peoplePassed, peopleFailed] = [Number(row[votesColumn]), Number(row[votesColumn + 1])]
    return [{ trace, evaluator, people, peoplePassed, peopleFailed }]
  })
  const last = rows.length > limit ? page.at(-1) : undefined
  const next = last && {
    ...{ at: BigInt(String(last[votesColumn + 2])), id: traces.at(-1)!.traceId },
  }
  return { disagreements: found, next: next && encodeTime(next), isComplete: true }
}

/** By trace, newest first. */
async function readVerdicts(
  connection: Connection,
  projectId: string,
  evaluator: string,
  ids: readonly string[],
  options: StatementOptions,
): Promise<ReadonlyMap<string, readonly Score[]>> {
  if (ids.length === 0) return new Map()
  const limit = limits.disagreementScores.value
  const of = { project: projectId, evaluator, ids, limit }
  const rows = await connection.rows(verdictsOnTraces, of, options)
  const scores: readonly Score[] = rows.map((row) => scoreColumns.fromRow(row))
  return Map.groupBy(scores, ({ traceId }) => traceId)
}
