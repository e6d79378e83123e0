/*
 * Which columns the trace table shows, and in which order. The name is always among them: it is the link of
 * its row.
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
  'llm',
  'tools',
  'tokens',
  'cost',
  'models',
  'labels',
]

/** The columns that a text names, unknown ones left out; undefined where it names none. */
export function parseColumns(text: string | null | undefined): readonly ColumnId[] | undefined {
  const named = (text ?? '').split(',').filter(isColumn)
  if (named.length === 0) return undefined
  const columns = [...new Set(named)]
  return columns.includes('name') ? columns : ['name', ...columns]
}

function isColumn(id: string): id is ColumnId {
  return (columnIds as readonly string[]).includes(id)
}

/** The text that names them in an address; undefined for the columns that everybody begins with. */
export function printColumns(columns: readonly ColumnId[]): string | undefined {
  const text = columns.join(',')
  return text === defaultColumns.join(',') ? undefined : text
}

/** With one more at the end, or without one. */
export function toggled(columns: readonly ColumnId[], id: ColumnId): readonly ColumnId[] {
  if (id === 'name') return columns
  return columns.includes(id) ? columns.filter((one) => one !== id) : [...columns, id]
}

/** With one of them so many places further right, or left; at an end it stays. */
export function moved(
  columns: readonly ColumnId[],
  id: ColumnId,
  places: number,
): readonly ColumnId[] {
  const at = columns.indexOf(id)
  const to = at + places
  if (at === -1 || to < 0 || to >= columns.length) return columns
  return columns.toSpliced(at, 1).toSpliced(to, 0, id)
}
