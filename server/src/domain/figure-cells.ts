import { compareIds } from './id-order.ts'
import type { TraceTotals } from './trace-totals.ts'

/*
 * Cells: traces that are alike in all that figures can be filtered by are counted together, so that figures for any
 * filter are a sum of cells.
 */

export interface FigureCell {
  readonly name: string
  readonly environment: string | null
  readonly service: string | null
  readonly tags: readonly string[]
  readonly models: readonly string[]
}

/** Each may be left out; all that are given must hold. */
export interface CellFilters {
  readonly name?: string
  readonly environment?: string
  readonly service?: string
  /** All of these. */
  readonly tags?: readonly string[]
  readonly model?: string
}

/** Tags, and models, of one trace. Beyond it the last in the order of bytes are left out. */
const wordsMax = 20

export function cellOf(totals: TraceTotals): FigureCell {
  return {
    name: totals.rootName,
    environment: totals.environment,
    service: totals.service,
    tags: words(totals.tags),
    models: words(totals.models),
  }
}

function words(all: readonly string[]): readonly string[] {
  if (all.length < 2) return all
  return [...new Set(all)].sort(compareIds).slice(0, wordsMax)
}

/** The key of a cell: the same for the same cell. That of a cell with tags does not begin with `[[],`. */
export function cellKey({ name, environment, service, tags, models }: FigureCell): string {
  return JSON.stringify([tags, models, name, environment, service])
}

/** The key of the calls of one model in the cell of a key. */
export function callKey(key: string, model: string): string {
  return JSON.stringify([key, model])
}

export function cellOfKey(key: string): FigureCell {
  const [tags, models, name, environment, service] = JSON.parse(key)
  return { tags, models, name, environment, service }
}

export function callOfKey(key: string): { readonly cell: FigureCell; readonly model: string } {
  const [cell, model] = JSON.parse(key)
  return { cell: cellOfKey(cell), model }
}

export function isInCell(
  { name, environment, service, tags = [], model }: CellFilters,
  cell: FigureCell,
): boolean {
  return (
    (name === undefined || cell.name === name) &&
    (environment === undefined || cell.environment === environment) &&
    (service === undefined || cell.service === service) &&
    (model === undefined || cell.models.includes(model)) &&
    tags.every((tag) => cell.tags.includes(tag))
  )
}
