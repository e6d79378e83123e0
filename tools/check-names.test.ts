import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

function check(
  path: string,
  text = '',
): { readonly status: number | null; readonly output: string } {
  const root = mkdtempSync(join(tmpdir(), 'assay-names-'))
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
  const script = join(import.meta.dirname, 'check-names.ts')
  const { status, stderr } = spawnSync(process.execPath, [script, root], { encoding: 'utf8' })
  rmSync(root, { recursive: true })
  return { status, output: stderr }
}

// In two pieces, because this file is checked as well.
const disable = `oxlint-${'disable'}`

describe('the check of names and suppressions', () => {
  test.each([
    ['an empty name', 'server/src/http/index.ts', ''],
    ['an empty name of a test', 'server/src/http/utils.test.ts', ''],
    ['an empty last word', 'web/ui/src/date-helpers.ts', ''],
    ['a folder without a subject', 'server/src/shared/clock.ts', ''],
    ['a component under another name', 'web/ui/src/Table.tsx', 'export function Grid() {}'],
    [
      'a component beside another value',
      'web/ui/src/Table.tsx',
      'export function Table() {}\nexport const rows = 3',
    ],
    ['a bare suppression', 'contract/src/a.ts', `// ${disable}-next-line no-console`],
    ['a suppression with a sign but no words', 'contract/src/a.ts', `// ${disable}-line x -- !`],
    ['an unexplained type error', 'contract/src/a.ts', `f(1) // @${'ts'}-expect-error`],
  ])('refuses %s', (_what, path, text) => {
    const { status, output } = check(path, text)
    expect(output).toContain(path)
    expect(status).toBe(1)
  })

  test.each([
    ['a name with a subject', 'server/src/http/shared-key.ts', ''],
    ['a page of its own', 'web/tracing/index.html', ''],
    [
      'a component with its types',
      'web/ui/src/Table.tsx',
      'export interface Props {}\nexport function Table() {}',
    ],
    [
      'a suppression with a reason',
      'contract/src/a.ts',
      `// ${disable}-next-line no-console -- the command prints its result`,
    ],
  ])('accepts %s', (_what, path, text) => {
    expect(check(path, text)).toEqual({ status: 0, output: '' })
  })
})
