import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runChecks } from './check-steps.mjs'
import { findChromium } from './chromium.mjs'
import { ensureInstalled, root, run, runtime } from './installation.mjs'
import { ensurePagesBuilt } from './pages.mjs'

/*
 * `npm test`: installs what is missing, runs the checks and all tests, and ends with one line that counts
 * them.
 */

/** @typedef {{ passed: number, failed: number, skipped?: number }} Count */

ensureInstalled('all')
const node = runtime() ?? process.execPath
ensureChromium()
ensurePagesBuilt(node)

const scratch = mkdtempSync(join(tmpdir(), 'assay-test-'))
const refusals = mkdtempSync(join(scratch, 'refusals-'))

const counts = [
  await runChecks(),
  runTests('parts', '--project', '!e2e'),
  runTests('whole', '--project', 'e2e'),
  checkRefusals(),
]
rmSync(scratch, { recursive: true, force: true })

const passed = sum(({ passed }) => passed)
const failed = sum(({ failed }) => failed)
const skipped = sum(({ skipped = 0 }) => skipped)
console.log(`${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`)
process.exit(failed === 0 ? 0 : 1)

/**
 * Runs some of the tests and counts them. A file that cannot be loaded, and a run that breaks off, count as
 * failures too.
 * @param {string} name
 * @param {readonly string[]} selection
 * @returns {Count}
 */
function runTests(name, ...selection) {
  const report = join(scratch, `${name}.json`)
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const succeeded = run(node, [vitest, 'run', ...selection, ...reporters], testEnvironment())
  if (!existsSync(report)) return { passed: 0, failed: 1 }
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(
    readFileSync(report, 'utf8'),
  )
  const unloaded = testResults.filter(
    (/** @type {{ status: string, assertionResults: unknown[] }} */ file) =>
      file.status === 'failed' && file.assertionResults.length === 0,
  )
  const failures = numFailedTests + unloaded.length
  return {
    passed: numPassedTests,
    failed: succeeded ? failures : Math.max(1, failures),
    skipped: numPendingTests + numTodoTests,
  }
}

/**
 * Whether every refusal that an endpoint declares was provoked, as one test.
 * @returns {Count}
 */
function checkRefusals() {
  const succeeded = run(node, ['tools/check-exercised-errors.ts', refusals])
  return succeeded ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

/** Settings of a service that happens to be configured here are none of the tests' business. */
function testEnvironment() {
  const environment = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('ASSAY_') || name.startsWith('ASSAY_TEST_'),
  )
  return { ...Object.fromEntries(environment), ASSAY_TEST_EXERCISED_ERRORS: refusals }
}

function ensureChromium() {
  if (findChromium() !== undefined) return
  if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0) {
    console.log('Installing Chromium for the tests in a browser; this takes a minute, once.')
    aptGet('update')
    aptGet('install', '-y', '--no-install-recommends', 'chromium')
  }
  if (findChromium() === undefined) {
    console.log(
      'No Chromium here: the tests in a browser are skipped. Install it (apt install chromium), or name it in ASSAY_TEST_CHROMIUM.',
    )
  }
}

/** @param {readonly string[]} args */
function aptGet(...args) {
  spawnSync('apt-get', ['-qq', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
}

/** @param {(count: Count) => number} part */
function sum(part) {
  return counts.reduce((total, count) => total + part(count), 0)
}
