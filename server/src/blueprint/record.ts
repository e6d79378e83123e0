import type { BlueprintRelation, BlueprintRow } from '@assay/contract/blueprint.ts'
import { limits } from '@assay/contract/limits.ts'
import { toCell } from './cells.ts'
import type { WrittenEntity, WrittenField, WrittenRow } from './written-blueprint.ts'

/*
 * The system of record: its rows have the types of their fields, unique fields repeat nothing, and references resolve.
 */

export interface RecordEntity {
  readonly name: string
  readonly fields: readonly WrittenField[]
  readonly rows: readonly BlueprintRow[]
}

export interface CheckedRecord {
  readonly entities: readonly RecordEntity[]
  readonly relations: readonly BlueprintRelation[]
  /** How many rows and relations of the model were left out. */
  readonly droppedRows: number
  readonly droppedRelations: number
}

/** Leaves out what does not fit; the rest is as the model wrote it. */
export function checkRecord(
  entities: readonly WrittenEntity[],
  written: readonly BlueprintRelation[],
  rows: readonly WrittenRow[],
): CheckedRecord {
  const relations = written.filter((relation) => isKnown(relation, entities))
  const targets = new Set(relations.map((one) => keyOf(one.to_entity, one.to_field)))
  const typed = entities.map(({ name, fields }) => {
    const marked = fields.map((field) =>
      // Two rows with the value that is referred to would make the reference ambiguous.
      targets.has(keyOf(name, field.name)) ? { ...field, unique: true } : field,
    )
    const own = rows.filter(({ entity }) => entity === name).slice(0, limits.blueprintRows.value)
    return { name, fields: marked, rows: withoutRepeats(marked, own.flatMap(toRow(marked))) }
  })
  const resolved = withoutDangling(typed, relations)
  const kept = resolved.reduce((sum, entity) => sum + entity.rows.length, 0)
  return {
    ...{ entities: resolved, relations },
    droppedRows: rows.length - kept,
    droppedRelations: written.length - relations.length,
  }
}

export const keyOf = (entity: string, field: string) => JSON.stringify([entity, field])

function isKnown(
  { from_entity, from_field, to_entity, to_field }: BlueprintRelation,
  entities: readonly WrittenEntity[],
): boolean {
  const typeOf = (entity: string, field: string) =>
    entities.find(({ name }) => name === entity)?.fields.find(({ name }) => name === field)?.type
  const type = typeOf(from_entity, from_field)
  return type !== undefined && type === typeOf(to_entity, to_field)
}

function toRow(fields: readonly WrittenField[]) {
  return ({ cells }: WrittenRow): BlueprintRow[] => {
    if (cells.length !== fields.length) return []
    const row: [string, BlueprintRow[string]][] = []
    for (const [at, { name, type, unique, values }] of fields.entries()) {
      const cell = toCell(cells[at], type)
      const isOther = cell !== null && values?.length && !values.includes(String(cell))
      if (cell === undefined || (cell === null && unique) || isOther) return []
      row.push([name, cell])
    }
    return [Object.fromEntries(row)]
  }
}

function withoutRepeats(
  fields: readonly WrittenField[],
  rows: readonly BlueprintRow[],
): readonly BlueprintRow[] {
  const unique = fields.filter((field) => field.unique)
  const seen = new Set<string>()
  return rows.filter((row) => {
    const keys = unique.map(({ name }) => keyOf(name, String(row[name])))
    if (keys.some((key) => seen.has(key))) return false
    for (const key of keys) seen.add(key)
    return true
  })
}

/** Repeats, because a row that is left out may be referred to as well. */
function withoutDangling(
  entities: readonly RecordEntity[],
  relations: readonly BlueprintRelation[],
): readonly RecordEntity[] {
  let current = entities
  for (;;) {
    const before = current
    const next = before.map((entity) => {
      const references = relations.filter(({ from_entity }) => from_entity === entity.name)
      const rows = entity.rows.filter((row) =>
        references.every((one) => resolves(row, one, before)),
      )
      return rows.length === entity.rows.length ? entity : { ...entity, rows }
    })
    if (next.every((entity, at) => entity === before[at])) return before
    current = next
  }
}

function resolves(
  row: BlueprintRow,
  { from_field, to_entity, to_field }: BlueprintRelation,
  entities: readonly RecordEntity[],
): boolean {
  const value = row[from_field]
  if (value === null) return true
  const rows = entities.find(({ name }) => name === to_entity)?.rows ?? []
  return rows.some((one) => one[to_field] === value)
}
