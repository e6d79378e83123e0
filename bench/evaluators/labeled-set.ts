import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type {
  DeterministicEvaluator,
  EvaluationContext,
} from '../../server/src/evaluators/evaluator.ts'
import { isPassing } from '../../server/src/evaluators/verdicts.ts'
import type { LabeledCase } from './labeled-case.ts'

/*
 * A labeled set measures one evaluator. A trace is found when its result does not pass.
 */

export interface LabeledData {
  /** Null for cases that were written or generated for the measurement. */
  readonly source: PublicSource | null
  readonly cases: (read: ReadFile) => readonly LabeledCase[]
}

export interface LabeledSet extends LabeledData {
  readonly evaluator: DeterministicEvaluator
  /** How a case becomes a trace, and what makes it faulty. */
  readonly method: string
  /** What most errors have in common, or why the figures are better than those on real traces. */
  readonly caveat: string | null
  /** The lowest precision and recall that are acceptable. */
  readonly floor: { readonly precision: number; readonly recall: number }
}

export interface PublicSource {
  readonly name: string
  readonly license: string
  /** On GitHub, `owner/name`. */
  readonly repository: string
  readonly commit: string
  /** Of the files that the cases are read from. */
  readonly sha256: string
}

/** Reads a file of the source by its path in the repository. */
export type ReadFile = (path: string) => Buffer

/** The cases of a set, or undefined if `folder` has no copy of its source. */
export function readCases(
  { source, cases }: LabeledData,
  folder: string | undefined,
): readonly LabeledCase[] | undefined {
  if (source === null) return cases(() => Buffer.alloc(0))
  const root = join(folder ?? '', source.repository)
  if (folder === undefined || !existsSync(root)) return undefined
  const hash = createHash('sha256')
  const read = cases((path) => {
    const content = readFileSync(join(root, path))
    hash.update(content)
    return content
  })
  const actual = hash.digest('hex')
  if (actual !== source.sha256) {
    throw new Error(`${root} has other data than commit ${source.commit}: SHA-256 ${actual}`)
  }
  return read
}

const context: EvaluationContext = { siblings: [] }

/** Whether the evaluator finds a fault in each case. A trace that it does not apply to has none. */
export function findFaults(
  evaluator: DeterministicEvaluator,
  cases: readonly LabeledCase[],
): readonly boolean[] {
  return cases.map(({ trace }) => {
    const verdict = evaluator.evaluate(trace, context)
    return verdict.status === 'scored' && !isPassing(verdict.score, evaluator.threshold)
  })
}
