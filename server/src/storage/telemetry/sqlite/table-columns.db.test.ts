import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { scoreColumns } from './score-columns.ts'
import { spanColumns } from './span-columns.ts'
import { openToWrite } from './telemetry-file.ts'
import { folderOfTest } from './test-store.ts'
import { traceColumns } from './trace-columns.ts'

const sqlTypes = {
  text: 'TEXT',
  json: 'TEXT',
  integer: 'INTEGER',
  instant: 'INTEGER',
  'optional instant': 'INTEGER',
  real: 'REAL',
  boolean: 'INTEGER',
  positive: 'REAL',
} as const

test.each([
  // The others are set by the statements.
  ['spans', spanColumns.declarations, ['trace_no INTEGER', 'revision INTEGER']],
  ['traces', traceColumns.declarations, []],
  [
    'scores',
    scoreColumns.declarations,
    ['trace_no INTEGER', 'project_no INTEGER', 'is_latest INTEGER'],
  ],
])('the declared columns of %s are those of the migrated table', (table, declared, others) => {
  const db = openToWrite(join(folderOfTest(), 'telemetry.sqlite'))
  onTestFinished(() => db.close())
  const stored = db
    .prepare('SELECT name, type FROM pragma_table_info(?)')
    .all(table)
    .map(({ name, type }) => `${name} ${type}`)
  const columns = Object.values<readonly [string, keyof typeof sqlTypes]>(declared)
  const expected = columns.map(([name, type]) => `${name} ${sqlTypes[type]}`)
  expect(stored.toSorted()).toEqual([...expected, ...others].toSorted())
})
