import type { DatabaseSync } from 'node:sqlite'
import { soughtWords } from '../../../../domain/search-words.ts'
import { prepareRows, rowsOf } from '../database.ts'
import type { TraceRow } from '../rows-read.ts'
import { findProject } from '../statements/projects.ts'
import { docsOfTraces, tracesOfWords, wordsWithin } from '../statements/search.ts'
import { filedWord } from './indexer.ts'

/*
 * Asks the index. Where words are rare it tells all traces that have them; where they are common it is asked
 * of given traces whether they have them.
 */

export interface Searching {
  /** What to ask of the index; undefined where nothing can be found. */
  expressionOf(projectId: string, query: string): string | undefined
  /** The numbers of all traces with the words; undefined where they are many. */
  fewTraces(expression: string): number[] | undefined
  /** Those of the traces that have the words. */
  among(expression: string): (traces: readonly TraceRow[]) => TraceRow[]
}

const fewDocs = 5000
const soughtMax = 50
/** Docs of one trace lie close together; between docs further apart than this the index is not asked. */
const gapMax = 2000

export function openSearch(db: DatabaseSync): Searching {
  const project = prepareRows(db, findProject)
  const few = prepareRows(db, tracesOfWords)
  const docs = prepareRows(db, docsOfTraces)
  const within = prepareRows(db, wordsWithin)
  return {
    expressionOf(projectId, query) {
      const row = project.get(projectId) as unknown as [number] | undefined
      const sought = soughtWords(query).slice(0, soughtMax)
      if (row === undefined || sought.length === 0) return undefined
      return sought
        .map(({ word, isBeginning }) => `"${filedWord(row[0], word)}"${isBeginning ? '*' : ''}`)
        .join(' AND ')
    },

    fewTraces(words) {
      const rows = rowsOf<readonly [number]>(few, { words, limit: fewDocs + 1 })
      return rows.length > fewDocs ? undefined : [...new Set(rows.map(([traceNo]) => traceNo))]
    },

    among: (words) => (traces) => {
      const traceNos = JSON.stringify(traces.map(traceNoOf))
      const rows = rowsOf<readonly [docNo: number, traceNo: number]>(docs, { traceNos })
      const owners = new Map(rows)
      const found = new Set<number>()
      for (const [first, last] of stretches(rows.map(([docNo]) => docNo))) {
        for (const [docNo] of rowsOf<readonly [number]>(within, { words, first, last })) {
          const traceNo = owners.get(docNo)
          if (traceNo !== undefined) found.add(traceNo)
        }
      }
      return traces.filter((row) => found.has(traceNoOf(row)))
    },
  }
}

function traceNoOf(row: TraceRow): number {
  return row[22]
}

function stretches(ascending: readonly number[]): [first: number, last: number][] {
  const all: [number, number][] = []
  for (const docNo of ascending) {
    const stretch = all.at(-1)
    if (stretch !== undefined && docNo - stretch[1] <= gapMax) stretch[1] = docNo
    else all.push([docNo, docNo])
  }
  return all
}
