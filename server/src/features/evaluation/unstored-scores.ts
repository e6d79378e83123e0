import { toJsonText } from '../../domain/json-text.ts'
import type { Score } from '../../domain/score.ts'

/*
 * Scores in the position of a job: they wait there while the telemetry store is unavailable, because the calls of their
 * judges were paid for.
 */

/** A score as JSON, which has no bigint. */
export interface UnstoredScore extends Omit<Score, 'createdAt' | 'updatedAt'> {
  readonly createdAt: string
  readonly updatedAt: string
}

/** In characters, of all scores of a position together. Those of a large collection are a fraction of it. */
const detailsMax = 1024 * 1024

/** Scores beyond `maxLength` lose their criteria and quotes, which can be as long as a trace: a position is written often. */
export function serializeScores(
  scores: readonly Score[],
  maxLength = detailsMax,
): readonly UnstoredScore[] {
  let length = 0
  return scores.map((score) => {
    const isTooLong = length + score.details.length > maxLength
    const details = isTooLong ? shortDetails(score) : score.details
    if (!isTooLong) length += details.length
    const { createdAt, updatedAt } = score
    return { ...score, details, createdAt: String(createdAt), updatedAt: String(updatedAt) }
  })
}

/** A result that does not pass has an issue. */
function shortDetails({ passed, reasoning }: Score): Score['details'] {
  return toJsonText({ issues: passed ? [] : [reasoning] })
}

export function parseScores(scores: readonly UnstoredScore[]): readonly Score[] {
  return scores.map(({ createdAt, updatedAt, ...score }) => ({
    ...score,
    createdAt: BigInt(createdAt),
    updatedAt: BigInt(updatedAt),
  }))
}
