import { moveItem } from './move-item.ts'

/*
 * The columns of the trace table and their order. The name is always included: it is the link of the row.
 */

export const columnIds = [
  'status',
  'name',
  'started',
  'duration',
  'spans',
  'errors',
  'llm',
  'tools',
  'tokens',
  'tokens_in',
  'tokens_out',
  'cost',
  'scores',
  'models',
  'labels',
  'environment',
  'tags',
  'service',
  'sdk',
  'session',
  'user',
  'source',
  'mode',
  'id',
] as const
export type ColumnId = (typeof columnIds)[number]

export const defaultColumns: readonly ColumnId[] = [
  'status',
  'name',
  'started',
  'duration',
  'spans',
  'tokens',
  'cost',
  'models',
]

/** Drops unknown columns; undefined if none are left. */
export function parseColumns(text: string | null | undefined): readonly ColumnId[] | undefined {
  const named = (text ?? '').split(',').filter(isColumn)
  if (named.length === 0) return undefined
  const columns = [...new Set(named)]
  return columns.includes('name') ? columns : ['name', ...columns]
}

function isColumn(id: string): id is ColumnId {
  return (columnIds as readonly string[]).includes(id)
}

/** The URL parameter; undefined for the default columns. */
export function printColumns(columns: readonly ColumnId[]): string | undefined {
  const text = columns.join(',')
  return text === defaultColumns.join(',') ? undefined : text
}

/** Appends the column, or removes it if present. */
export function toggled(columns: readonly ColumnId[], id: ColumnId): readonly ColumnId[] {
  if (id === 'name') return columns
  return columns.includes(id) ? columns.filter((one) => one !== id) : [...columns, id]
}

/** Moves a column to the place of another. */
export function movedOnto(columns: readonly ColumnId[], id: string, ontoId: string) {
  const ids: readonly string[] = columns
  return moveItem(columns, ids.indexOf(id), ids.indexOf(ontoId))
}

/** Moves a column by `places`; at either end it stays. */
export function moved(
  columns: readonly ColumnId[],
  id: ColumnId,
  places: number,
): readonly ColumnId[] {
  const at = columns.indexOf(id)
  return moveItem(columns, at, at + places)
}
