/*
 * Columns of ClickHouse tables: one declaration for the list of their names, and for the rows in both directions. Rows
 * are lists, as the format JSONCompactEachRow has them, with 64-bit integers as text.
 */

/** How a value is stored. `instant`: nanoseconds in an Int64. `json`: text that is parsed when it is read. */
export type ColumnType<Value> = [Value] extends [bigint]
  ? 'instant'
  : [Value] extends [bigint | null]
    ? 'optional instant'
    : [Value] extends [number]
      ? 'integer' | 'real'
      : [Value] extends [number | null]
        ? 'optional integer' | 'optional real'
        : [Value] extends [string]
          ? 'text'
          : [Value] extends [string | null]
            ? 'optional text'
            : [Value] extends [boolean]
              ? 'boolean'
              : [Value] extends [readonly string[]]
                ? 'texts' | 'json'
                : 'json'

/** For each key, in the order of the rows, the name of its column and how it is stored. */
export type ColumnDeclarations<T> = {
  readonly [Key in keyof T]-?: readonly [name: string, type: ColumnType<T[Key]>]
}

/** A value in JSON. */
export type Cell = string | number | boolean | null | readonly Cell[]
export type Row = readonly Cell[]

export interface Columns<T> {
  /** As in `SELECT names` and `INSERT INTO … (names)`. */
  readonly names: string
  /** Of a row. */
  readonly count: number
  toRow(value: T): Row
  fromRow(row: Row): T
  pick<Key extends keyof T>(keys: readonly Key[]): Columns<Pick<T, Key>>
}

type AnyType =
  | ColumnType<bigint>
  | ColumnType<bigint | null>
  | ColumnType<number>
  | ColumnType<number | null>
  | ColumnType<string>
  | ColumnType<string | null>
  | ColumnType<boolean>
  | ColumnType<readonly string[]>

export function defineColumns<T>(declarations: ColumnDeclarations<T>): Columns<T> {
  const entries = Object.entries(declarations) as [keyof T, readonly [string, AnyType]][]
  const columns = entries.map(([key, [name, type]]) => ({ key, name, ...codecs[type] }))
  return {
    names: columns.map(({ name }) => name).join(', '),
    count: columns.length,
    toRow: (value) => columns.map(({ key, encode }) => encode(value[key] as never)),
    fromRow(row) {
      // Reads of many rows spend much of their time here: Object.fromEntries would take more than twice as long.
      const value: Partial<Record<keyof T, unknown>> = {}
      for (let i = 0; i < columns.length; i += 1)
        value[columns[i]!.key] = columns[i]!.decode(row[i]!)
      return value as T
    },
    pick: (keys) =>
      defineColumns(
        Object.fromEntries(keys.map((key) => [key, declarations[key]])) as ColumnDeclarations<
          Pick<T, (typeof keys)[number]>
        >,
      ),
  }
}

interface Codec {
  readonly encode: (value: never) => Cell
  readonly decode: (cell: Cell) => unknown
}

const asIs = { encode: (value: Cell) => value, decode: (cell: Cell) => cell }
const text: Codec = { ...asIs, encode: toStorableText }

const codecs: Readonly<Record<AnyType, Codec>> = {
  instant: { encode: toInt64, decode: (cell) => BigInt(String(cell)) },
  'optional instant': {
    encode: (value: bigint | null) => (value === null ? null : toInt64(value)),
    decode: (cell) => (cell === null ? null : BigInt(String(cell))),
  },
  integer: { ...asIs, decode: Number },
  real: asIs,
  'optional integer': { ...asIs, decode: (cell) => (cell === null ? null : Number(cell)) },
  'optional real': asIs,
  text,
  'optional text': {
    ...asIs,
    encode: (value: string | null) => (value === null ? null : toStorableText(value)),
  },
  boolean: asIs,
  texts: { ...asIs, encode: (values: readonly string[]) => values.map(toStorableText) },
  json: {
    encode: (value: unknown) => toStorableText(JSON.stringify(value)),
    decode: (cell) => JSON.parse(String(cell)),
  },
}

/** Columns have UTF-8: a lone surrogate becomes the replacement character, as everywhere. */
function toStorableText(value: string): string {
  return value.toWellFormed()
}

/** ClickHouse would wrap a larger number around; text that is no number is refused. */
function toInt64(instant: bigint): string {
  return BigInt.asIntN(64, instant) === instant ? String(instant) : `out of range: ${instant}`
}
