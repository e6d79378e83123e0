import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Fault, notRun, type Outcome, seconds } from './fault.ts'

/*
 * Rows that tests prove: runs them and reports their counts.
 */

interface SpecRow extends Omit<Fault, 'measure'> {
  readonly files: readonly string[]
  /** Only the tests whose names contain it. */
  readonly name?: string
  /** Runs the lengths of `npm run test:long`, unless the run is quick. */
  readonly isLong?: boolean
  /** What the tests do not show. */
  readonly remark?: string
}

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
  }[]
}

/** As `npm run test:long`, with fewer requests. */
const long = { ASSAY_TEST_LONG: '1', ASSAY_TEST_FUZZ_REQUESTS: '20000' }
const root = join(import.meta.dirname, '../..')

export function specFault(row: SpecRow): Fault {
  const { number, fault, promise, target } = row
  return {
    ...{ number, fault, promise, target },
    measure: ({ isQuick }) => runSpecs(row, row.isLong === true && !isQuick),
  }
}

async function runSpecs(row: SpecRow, isLong: boolean): Promise<Outcome> {
  const { files, name = '', remark } = row
  const startedAt = performance.now()
  const tests = (await reportOf(files, name, isLong)).testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ fullName }) => fullName.includes(name))
  const statuses = tests.map(({ status }) => status)
  const count = (status: string) => statuses.filter((one) => one === status).length
  const [passed, failed] = [count('passed'), count('failed')]
  const skipped = statuses.length - passed - failed
  const where = files.map((file) => `\`${file}\``).join(', ')
  const parts = [
    `${passed} tests passed, ${failed} failed, ${skipped} skipped in ${seconds(performance.now() - startedAt)}: ${where}`,
    ...(name === '' ? [] : [`those called “${name}”`]),
    ...tests
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => `failed: ${fullName}`),
    ...(remark === undefined ? [] : [remark]),
  ]
  const measured = parts.join('; ')
  if (failed > 0) return { verdict: 'missed', measured }
  return passed === 0 ? notRun(measured) : { verdict: 'met', measured }
}

async function reportOf(files: readonly string[], name: string, isLong: boolean): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-faults-'))
  const file = join(folder, 'report.json')
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', ...files, '--reporter=json', `--outputFile=${file}`]
  const child = spawn(process.execPath, name === '' ? args : [...args, '-t', escaped(name)], {
    cwd: root,
    env: { ...process.env, ...(isLong ? long : {}) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk
  })
  await once(child, 'exit')
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report
  } catch (cause) {
    throw new Error(`the tests did not run: ${errors}`, { cause })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
