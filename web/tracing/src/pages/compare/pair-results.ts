import type { EvaluationResult, EvaluationRun } from '@assay/contract/evaluations.ts'

/*
 * The latest results of two traces, by evaluator.
 */

export interface ResultPair {
  readonly evaluatorId: string
  readonly name: string
  /** Undefined if the evaluator has no result for the trace. */
  readonly a: EvaluationResult | undefined
  readonly b: EvaluationResult | undefined
}

/** A pair in which both traces are scored. */
export interface ScoredPair extends ResultPair {
  readonly a: EvaluationResult
  readonly b: EvaluationResult
}

/**
 * By the size of the difference, those that scored only one trace last. Without evaluators that scored neither trace.
 * Runs are newest first.
 */
export function pairResults(
  runsOfA: readonly EvaluationRun[],
  runsOfB: readonly EvaluationRun[],
): readonly ResultPair[] {
  const ofA = latestResults(runsOfA)
  const ofB = latestResults(runsOfB)
  return [...new Set([...ofA.keys(), ...ofB.keys()])]
    .map((evaluatorId) => {
      const [a, b] = [ofA.get(evaluatorId), ofB.get(evaluatorId)]
      return { evaluatorId, name: (a ?? b)?.evaluator_name ?? '', a, b }
    })
    .filter(({ a, b }) => isScored(a) || isScored(b))
    .sort((one, other) => sizeOf(other) - sizeOf(one) || one.name.localeCompare(other.name))
}

/** An evaluator that could not decide does not replace its earlier result. */
function latestResults(runs: readonly EvaluationRun[]): ReadonlyMap<string, EvaluationResult> {
  const latest = new Map<string, EvaluationResult>()
  for (const result of runs.flatMap(({ results }) => results)) {
    const newer = latest.get(result.evaluator_id)
    if (newer === undefined || (newer.status === 'error' && result.status !== 'error')) {
      latest.set(result.evaluator_id, result)
    }
  }
  return latest
}

export function isScored(result: EvaluationResult | undefined): result is EvaluationResult {
  return result?.status === 'scored'
}

export function isScoredPair(pair: ResultPair): pair is ScoredPair {
  return isScored(pair.a) && isScored(pair.b)
}

/** Also where only the thresholds differed. */
export function isDifferent({ a, b }: ScoredPair): boolean {
  return a.score !== b.score || a.passed !== b.passed
}

function sizeOf(pair: ResultPair): number {
  return isScoredPair(pair) ? Math.abs(pair.b.score - pair.a.score) : -1
}
