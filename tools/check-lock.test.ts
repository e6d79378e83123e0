import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const whole = {
  '': { dependencies: { tool: '1.0.0' }, devDependencies: { checker: '1.0.0' } },
  'apps/one': { dependencies: { tool: '2.0.0' }, devDependencies: { checker: '1.0.0' } },
  'apps/one/node_modules/tool': {
    dependencies: { base: '1.0.0' },
    devDependencies: { own: '1.0.0' },
  },
  'node_modules/one': { link: true },
  'node_modules/tool': { optionalDependencies: { 'tool-linux': '1.0.0', 'tool-darwin': '1.0.0' } },
  'node_modules/tool-linux': {},
  'node_modules/tool-darwin': {},
  'node_modules/checker': { dependencies: { base: '2.0.0' } },
  'node_modules/checker/node_modules/base': {},
  'node_modules/base': {},
}

function check(packages: Readonly<Record<string, unknown>>) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-lock-'))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }))
  const script = join(import.meta.dirname, 'check-lock.ts')
  const { status, stderr } = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  return { status, output: stderr }
}

test('a complete lock file is accepted', () => {
  expect(check(whole)).toEqual({ status: 0, output: '' })
})

test.each([
  [
    'a package for another platform',
    'node_modules/tool-darwin',
    'node_modules/tool wants tool-darwin',
  ],
  ['a package of a workspace', 'node_modules/checker', 'apps/one wants checker'],
  ['a package of a package', 'node_modules/base', 'apps/one/node_modules/tool wants base'],
])('a missing %s is reported', (_what, path, output) => {
  const { [path as keyof typeof whole]: _, ...rest } = whole
  const result = check(rest)
  expect(result.output).toContain(output)
  expect(result.status).toBe(1)
})
