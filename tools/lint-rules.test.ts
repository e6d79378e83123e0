import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const repository = join(import.meta.dirname, '..')
const lines = (count: number, line: string) => `${line}\n`.repeat(count)

/** For each linter limit of STYLE.md, a file that violates it and the closest one that does not. */
const situations: readonly (readonly [rule: string, broken: File, valid: File])[] = [
  [
    'eslint(max-lines)',
    { 'server/src/long.ts': lines(401, 'void 0') },
    { 'server/src/long.ts': `${lines(400, 'void 0')}\n// not counted\n` },
  ],
  [
    'eslint(max-lines)',
    { 'server/src/long.test.ts': lines(601, 'void 0') },
    { 'server/src/long.test.ts': lines(600, 'void 0') },
  ],
  [
    'eslint(max-lines-per-function)',
    { 'server/src/a.ts': `export function a() {\n${lines(69, '  void 0')}}\n` },
    { 'server/src/a.ts': `export function a() {\n${lines(68, '  void 0')}}\n` },
  ],
  [
    'eslint(max-lines-per-function)',
    { 'web/ui/src/A.tsx': `export function A() {\n${lines(119, '  void 0')}}\n` },
    { 'web/ui/src/A.tsx': `export function A() {\n${lines(118, '  void 0')}}\n` },
  ],
  [
    'import(no-cycle)',
    {
      'server/src/a.ts': "import { b } from './b.ts'\nexport const a = () => b",
      'server/src/b.ts': "import { a } from './a.ts'\nexport const b = () => a",
    },
    {
      'server/src/a.ts': "import { b } from './b.ts'\nexport const a = () => b",
      'server/src/b.ts': 'export const b = 1',
    },
  ],
  [
    'oxc(no-barrel-file)',
    { 'server/src/a.ts': "export * from './b.ts'", 'server/src/b.ts': 'export const b = 1' },
    { 'server/src/a.ts': 'export const a = 1' },
  ],
  [
    'unicorn(filename-case)',
    { 'server/src/camelCase.ts': 'export const a = 1' },
    { 'web/ui/src/Pascal.tsx': 'export const Pascal = 1' },
  ],
  [
    'import(no-default-export)',
    { 'server/src/a.ts': 'export default 1' },
    { 'some.config.ts': 'export default 1' },
  ],
  [
    'typescript(consistent-type-imports)',
    {
      'server/src/a.ts': "import { B } from './b.ts'\nexport const a = (b: B) => b",
      'server/src/b.ts': 'export interface B {}',
    },
    {
      'server/src/a.ts': "import type { B } from './b.ts'\nexport const a = (b: B) => b",
      'server/src/b.ts': 'export interface B {}',
    },
  ],
  [
    'typescript(no-explicit-any)',
    { 'server/src/a.ts': 'export const a = (b: any) => b' },
    { 'server/src/a.ts': 'export const a = (b: unknown) => b' },
  ],
  [
    'node(no-process-env)',
    { 'server/src/a.ts': 'export const a = process.env' },
    { 'server/src/platform/config.ts': 'export const a = process.env' },
  ],
  [
    'typescript(no-floating-promises)',
    { 'server/src/a.ts': 'const b = async () => 1\nb()' },
    { 'server/src/a.ts': 'const b = async () => 1\nvoid b()' },
  ],
  [
    'typescript(no-misused-promises)',
    { 'server/src/a.ts': 'const b = async () => 1\n;[1].forEach(async () => b())' },
    { 'server/src/a.ts': 'const b = async () => 1\nawait Promise.all([1].map(async () => b()))' },
  ],
  [
    'typescript(switch-exhaustiveness-check)',
    { 'server/src/a.ts': unionSwitch("case 'x': return 1") },
    { 'server/src/a.ts': unionSwitch("case 'x': return 1\n    case 'y': return 2") },
  ],
  [
    'typescript(only-throw-error)',
    { 'server/src/a.ts': "export const a = () => { throw 'b' }" },
    { 'server/src/a.ts': "export const a = () => { throw new Error('b') }" },
  ],
  [
    'eslint(no-console)',
    { 'server/src/a.ts': "console.log('a')" },
    { 'tools/a.ts': "console.log('a')" },
  ],
  [
    'unicorn(no-process-exit)',
    { 'server/src/a.ts': 'process.exit(1)' },
    { 'server/src/main.ts': 'process.exit(1)' },
  ],
  [
    'eslint(no-warning-comments)',
    { 'server/src/a.ts': `// ${'TO'}${'DO'}: later` },
    { 'server/src/a.ts': '// What is done here is done.' },
  ],
  [
    'vitest(no-focused-tests)',
    { 'server/src/a.test.ts': "import { test } from 'vitest'\ntest.only('a', () => {})" },
    { 'server/src/a.test.ts': 'export const a = 1' },
  ],
]

type File = Readonly<Record<string, string>>

function unionSwitch(cases: string): string {
  return `export function a(b: 'x' | 'y') {\n  switch (b) {\n    ${cases}\n  }\n  return 0\n}`
}

/** The rules that these files violate; type-aware rules are slow and run on demand. */
function broken(files: File, withTypes: boolean): readonly string[] {
  const root = mkdtempSync(join(tmpdir(), 'assay-lint-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  copyFileSync(join(repository, '.oxlintrc.json'), join(root, '.oxlintrc.json'))
  copyFileSync(join(repository, 'tsconfig.base.json'), join(root, 'tsconfig.json'))
  symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'))
  const linter = join(repository, 'node_modules/oxlint/bin/oxlint')
  const args = [linter, '--format=json', '--ignore-pattern=node_modules']
  if (withTypes) args.push('--type-aware')
  const { stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  rmSync(root, { recursive: true })
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: readonly { code: string }[] }
  return diagnostics.map(({ code }) => code)
}

test.each(situations)('%s is enforced', (rule, violation, valid) => {
  const withTypes = rule.startsWith('typescript')
  expect(broken(violation, withTypes)).toContain(rule)
  expect(broken(valid, withTypes)).not.toContain(rule)
})
