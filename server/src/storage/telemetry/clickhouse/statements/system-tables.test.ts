import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Those that every user may read, and that a cluster needs besides. */
const readable = ['tables', 'replicas', 'clusters']

test('the store reads no system table for which its user needs further rights', () => {
  const folder = join(import.meta.dirname, '..')
  const found = globSync('{*,statements/*,import/*,migrations/*}.ts', { cwd: folder })
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => [
      ...readFileSync(join(folder, file), 'utf8').matchAll(/\bsystem\.([a-z]\w*)/g),
    ])
    .map(([, table]) => table)
  expect(found).toContain('tables')
  expect(found.filter((table) => !readable.includes(String(table)))).toEqual([])
})
