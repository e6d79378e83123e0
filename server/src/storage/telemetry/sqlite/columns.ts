/*
 * Tables as lists of columns. The statements of a table, the type of its rows and the functions that read and write
 * them all derive from one declaration.
 */

/**
 * How a value is stored. `instant`: an integer that Node reads and writes as text, because it may be above 2^53.
 * `optional instant`: one that may be null.
 * `boolean`: 0 or 1. `positive`: -1 for null, in columns that are not nullable. `json`: text that is parsed when it is read; null stays null.
 */
export type ColumnType<Value> = [Value] extends [bigint]
  ? 'instant'
  : [Value] extends [bigint | null]
    ? 'optional instant'
    : [Value] extends [number | null]
      ? 'integer' | 'real' | 'positive'
      : [Value] extends [string | null]
        ? 'text'
        : [Value] extends [boolean]
          ? 'boolean'
          : 'json'

/** For each key, in the order of the rows, the name of its column and how it is stored. */
export type ColumnDeclarations<T> = {
  readonly [Key in keyof T]-?: readonly [name: string, type: ColumnType<T[Key]>]
}

declare const contents: unique symbol

/**
 * The values of a row in the order of its columns: an array, because those are cloned between threads several times
 * faster than objects. Only the columns it was written with can read it.
 */
export type Row<T> = readonly (string | number | null)[] & { readonly [contents]: T }

export interface Columns<T> {
  /** As in `INSERT INTO … (names)`. */
  readonly names: string
  /** As in `VALUES (placeholders)`. */
  readonly placeholders: string
  /** As in `SELECT selection`. */
  readonly selection: string
  /** As in `UPDATE … SET assignments`. */
  readonly assignments: string
  readonly keys: readonly (keyof T)[]
  readonly declarations: ColumnDeclarations<T>
  toRow(value: T): Row<T>
  fromRow(row: Row<T>): T
  /** Reads one value of a row. */
  reader<Key extends keyof T>(key: Key): (row: Row<T>) => T[Key]
  /** Reads some values of a row. */
  selectReader<Key extends keyof T>(keys: readonly Key[]): (row: Row<T>) => Pick<T, Key>
  /** The same columns in rows of their own. */
  pick<Key extends keyof T>(keys: readonly Key[]): Columns<Pick<T, Key>>
}

type Stored = string | number | null

interface Column {
  readonly key: string
  readonly name: string
  readonly type:
    | ColumnType<unknown>
    | ColumnType<bigint>
    | ColumnType<bigint | null>
    | ColumnType<boolean>
    | ColumnType<number>
    | ColumnType<string>
}

export function defineColumns<T>(declarations: ColumnDeclarations<T>): Columns<T> {
  const entries: readonly (readonly [string, readonly [string, Column['type']]])[] =
    Object.entries(declarations)
  const columns: readonly Column[] = entries.map(([key, [name, type]]) => ({ key, name, type }))
  const indexOf = (key: keyof T) => columns.findIndex((column) => column.key === key)
  const keys = columns.map(({ key }) => key as keyof T)
  const selectReader: Columns<T>['selectReader'] = (selected) =>
    openReader<T>(columns, selected.map(indexOf))
  return {
    names: columns.map(({ name }) => name).join(', '),
    placeholders: columns.map(() => '?').join(', '),
    selection: columns.map(selected).join(', '),
    assignments: columns.map(({ name }) => `${name} = ?`).join(', '),
    keys,
    declarations,
    toRow: openWriter<T>(columns),
    fromRow: selectReader(keys),
    selectReader,
    reader(key) {
      const index = indexOf(key)
      const parse = parsers[columns[index]!.type]
      return (row) => (parse === undefined ? row[index] : parse(row[index]!)) as T[typeof key]
    },
    pick: (selected) => defineColumns(pickDeclarations(declarations, selected)),
  }
}

function pickDeclarations<T, Key extends keyof T>(
  declarations: ColumnDeclarations<T>,
  keys: readonly Key[],
): ColumnDeclarations<Pick<T, Key>> {
  const picked = keys.map((key) => [key, declarations[key]])
  return Object.fromEntries(picked) as ColumnDeclarations<Pick<T, Key>>
}

function selected({ name, type }: Column): string {
  return type === 'instant' || type === 'optional instant' ? `CAST(${name} AS TEXT)` : name
}

type Parse = (stored: Stored) => unknown

const parsers: Readonly<Record<Column['type'], Parse | undefined>> = {
  text: undefined,
  integer: undefined,
  real: undefined,
  instant: (stored) => BigInt(stored!),
  'optional instant': (stored) => (stored === null ? null : BigInt(stored)),
  boolean: (stored) => stored === 1,
  positive: (stored) => (stored === -1 ? null : stored),
  json: (stored) => (stored === null ? null : JSON.parse(String(stored))),
}

const serializers: Readonly<Record<Column['type'], ((value: unknown) => Stored) | undefined>> = {
  text: undefined,
  integer: undefined,
  real: undefined,
  instant: String,
  'optional instant': (value) => (typeof value === 'bigint' ? String(value) : null),
  boolean: Number,
  positive: (value) => (value === null ? -1 : (value as number)),
  json: (value) => (value === null ? null : JSON.stringify(value)),
}

function openWriter<T>(columns: readonly Column[]): (value: T) => Row<T> {
  const keys = columns.map(({ key }) => key)
  const serialize = columns.map(({ type }) => serializers[type])
  return (value) => {
    const values = value as Readonly<Record<string, unknown>>
    const row: Stored[] = []
    for (let i = 0; i < keys.length; i += 1) {
      const each = values[keys[i]!]
      const toStored = serialize[i]
      row.push(toStored === undefined ? (each as Stored) : toStored(each))
    }
    return row as unknown as Row<T>
  }
}

function openReader<T>(columns: readonly Column[], indexes: readonly number[]) {
  const keys = indexes.map((index) => columns[index]!.key)
  const parse = indexes.map((index) => parsers[columns[index]!.type])
  // Filling a copy with all members is faster than growing an empty object.
  const blank = Object.fromEntries(keys.map((key) => [key, null]))
  return (row: Row<T>): T => {
    const value: Record<string, unknown> = { ...blank }
    for (let i = 0; i < keys.length; i += 1) {
      const stored = row[indexes[i]!]!
      const parseStored = parse[i]
      value[keys[i]!] = parseStored === undefined ? stored : parseStored(stored)
    }
    return value as T
  }
}
