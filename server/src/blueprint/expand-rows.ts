import type { BlueprintRelation, BlueprintRow, Cell } from '@assay/contract/blueprint.ts'
import type { Faker } from '@faker-js/faker'
import { toCell } from './cells.ts'
import { keyOf, type RecordEntity } from './record.ts'
import type { WrittenField } from './written-blueprint.ts'

/*
 * Adds rows to those that the model wrote, in their manner: numbers and dates between theirs, texts of theirs, keys
 * that continue theirs, and invented people. The same seed gives the same rows.
 */

const rowsPerEntity = 12

/** Entities without a row of the model stay without one. */
export async function expandRows(
  entities: readonly RecordEntity[],
  relations: readonly BlueprintRelation[],
  seed: number,
): Promise<readonly RecordEntity[]> {
  // Loaded when it is needed: its names and words take memory.
  const { faker } = await import('@faker-js/faker/locale/en')
  faker.seed(seed)
  const expanded = new Map(entities.map((entity) => [entity.name, entity]))
  for (const name of inOrderOfReference(entities, relations)) {
    const entity = expanded.get(name)
    if (entity === undefined || entity.rows.length === 0) continue
    const rows = [...entity.rows]
    for (let n = 0; n < 2 * rowsPerEntity && rows.length < rowsPerEntity; n += 1) {
      const row = newRow({ ...entity, rows }, relations, expanded, faker)
      if (row !== undefined) rows.push(row)
    }
    expanded.set(name, { ...entity, rows })
  }
  return entities.map(({ name }) => expanded.get(name)!)
}

/** Entities that are referred to come first; within a circle, any order. */
function inOrderOfReference(
  entities: readonly RecordEntity[],
  relations: readonly BlueprintRelation[],
): readonly string[] {
  const ordered = new Set<string>()
  const visiting = new Set<string>()
  const visit = (name: string) => {
    if (visiting.has(name)) return
    visiting.add(name)
    for (const { from_entity, to_entity } of relations) if (from_entity === name) visit(to_entity)
    ordered.add(name)
  }
  for (const { name } of entities) visit(name)
  return [...ordered]
}

/** Undefined if a unique field has no further value. */
function newRow(
  entity: RecordEntity,
  relations: readonly BlueprintRelation[],
  entities: ReadonlyMap<string, RecordEntity>,
  faker: Faker,
): BlueprintRow | undefined {
  const person = { first: faker.person.firstName(), last: faker.person.lastName() }
  const cells: [string, Cell][] = []
  for (const field of entity.fields) {
    const relation = relations.find(
      (one) => keyOf(one.from_entity, one.from_field) === keyOf(entity.name, field.name),
    )
    const taken = entity.rows.map((row) => row[field.name] ?? null)
    const make = () =>
      relation === undefined
        ? newCell(field, taken, person, faker)
        : referred(relation, entities, faker)
    const cell = field.unique ? unlessTaken(make, taken) : make()
    if (cell === undefined) return undefined
    cells.push([field.name, cell])
  }
  return Object.fromEntries(cells)
}

const attemptsMax = 40

function unlessTaken(make: () => Cell | undefined, taken: readonly Cell[]): Cell | undefined {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const cell = make()
    if (cell !== undefined && cell !== null && !taken.includes(cell)) return cell
  }
  return undefined
}

function referred(
  { to_entity, to_field }: BlueprintRelation,
  entities: ReadonlyMap<string, RecordEntity>,
  faker: Faker,
): Cell | undefined {
  const rows = entities.get(to_entity)?.rows ?? []
  return rows.length === 0 ? undefined : (faker.helpers.arrayElement([...rows])[to_field] ?? null)
}

interface Person {
  readonly first: string
  readonly last: string
}

function newCell(
  { name, type, unique, values }: WrittenField,
  taken: readonly Cell[],
  person: Person,
  faker: Faker,
): Cell | undefined {
  const known = taken.filter((cell) => cell !== null)
  if (known.length === 0) return null
  if (values?.length) return toCell(faker.helpers.arrayElement([...values]), type)
  switch (type) {
    case 'boolean':
      return faker.datatype.boolean()
    case 'integer':
      return unique ? Math.max(...known.map(Number)) + 1 : between(known, 0, faker)
    case 'number':
      return between(known, Math.max(...known.map(decimalsOf)), faker)
    case 'date':
      return dateBetween(known, faker).slice(0, 10)
    case 'datetime':
      return `${dateBetween(known, faker).slice(0, 19)}Z`
    case 'string': {
      return (
        personal(name, person, faker) ??
        (unique ? nextKey(known, faker) : faker.helpers.arrayElement(known))
      )
    }
  }
}

/** With as many decimals as the numbers of the model. */
function between(known: readonly Cell[], decimals: number, faker: Faker): number {
  const numbers = known.map(Number)
  const [min, max] = [Math.min(...numbers), Math.max(...numbers)]
  const value = min + (max - min) * faker.number.float()
  return Math.min(max, Math.max(min, Number(value.toFixed(Math.min(decimals, 6)))))
}

const decimalsOf = (cell: Cell) => String(cell).split('.')[1]?.length ?? 0

const dayMs = 24 * 60 * 60 * 1000

function dateBetween(known: readonly Cell[], faker: Faker): string {
  const times = known.map((cell) => Date.parse(String(cell)))
  const [from, to] = [Math.min(...times), Math.max(...times)]
  const range = to === from ? 30 * dayMs : to - from
  return new Date(Math.floor(from + range * faker.number.float())).toISOString()
}

/** Texts about people are invented, at addresses and numbers that nobody can have. */
function personal(name: string, { first, last }: Person, faker: Faker): string | undefined {
  const words = name.toLowerCase().replaceAll(/[^a-z]+/g, '_')
  const is = (pattern: RegExp) => pattern.test(words)
  if (is(/e_?mail/)) return `${first}.${last}@example.com`.toLowerCase().replaceAll(/[^a-z.@]/g, '')
  if (is(/phone|mobile|(?:^|_)tel(?:$|_)/))
    return fictitiousPhone(faker.number.int({ min: 0, max: 99 }))
  if (is(/first_?name|given_?name/)) return first
  if (is(/last_?name|surname|family_?name/)) return last
  if (
    is(/^(?:full_?name|(?:customer|user|employee|patient|guest|passenger|contact|member)_name)$/)
  ) {
    return `${first} ${last}`
  }
  if (is(/street|^address$|address_line/)) return faker.location.streetAddress()
  return undefined
}

/** Reserved for fiction. */
function fictitiousPhone(n: number): string {
  return `+1-202-555-01${String(n).padStart(2, '0')}`
}

/** `A-0042` after `A-0041`; other keys get a number. */
function nextKey(known: readonly Cell[], faker: Faker): string {
  const last = known.map(String).findLast((one) => /\d/.test(one))
  const match = last === undefined ? null : /^(.*?)(\d{1,12})(\D*)$/s.exec(last)
  if (match === null) return `${String(known[0])} ${faker.number.int({ min: 2, max: 999 })}`
  const [, before = '', digits = '', after = ''] = match
  const numbers = known.map((one) => Number(/(\d{1,12})\D*$/.exec(String(one))?.[1] ?? 0))
  const next = Math.max(...numbers) + 1
  return before + String(next).padStart(digits.length, '0') + after
}
