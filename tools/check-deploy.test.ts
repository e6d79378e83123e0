import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const deploy = join(import.meta.dirname, '../deploy')
const script = join(import.meta.dirname, 'check-deploy.ts')

/** Checks a copy of the folder, in which `text` of a file is replaced. */
function check(file: string, text: string, replacement: string) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-deploy-'))
  cpSync(deploy, folder, { recursive: true })
  const original = readFileSync(join(folder, file), 'utf8')
  expect(original).toContain(text)
  writeFileSync(join(folder, file), original.replace(text, replacement))
  // Without the programs in Go, which need not be installed.
  const env = { PATH: '' }
  const { status, stderr } = spawnSync(process.execPath, [script, folder], {
    encoding: 'utf8',
    env,
  })
  rmSync(folder, { recursive: true })
  return { status, output: stderr }
}

test.each([
  ['an instruction that Docker does not have', 'Dockerfile', 'EXPOSE', 'EXPOZE', 'EXPOZE'],
  ['a key that Compose does not have', 'compose.yaml', 'cap_drop', 'cap_dropp', '/services/assay'],
  ['a port that is used twice', 'compose.yaml', '4601:4601', '4600:4601', 'port'],
  [
    'a default that its schema refuses',
    'helm/assay/values.yaml',
    'mode: embedded',
    'mode: other',
    '/mode',
  ],
  [
    'a port as a setting of the chart',
    'helm/assay/ci/scaled-values.yaml',
    'ASSAY_RETENTION_DAYS',
    'ASSAY_PORT',
    '/settings',
  ],
])('%s is reported', (_what, file, text, replacement, output) => {
  const result = check(file, text, replacement)
  expect(result.output).toContain(output)
  expect(result.status).toBe(1)
})
