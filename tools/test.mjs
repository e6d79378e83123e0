import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { runChecksDuring } from './check-steps.mjs'
import { findTestChromium } from './chromium.mjs'
import { ensureInstalled, root, run, runtime } from './installation.mjs'
import { longSpecs } from './long-specs.mjs'
import { ensurePagesBuilt } from './pages.mjs'
import { createScratchFolder } from './scratch-folder.mjs'

/*
 * `npm test`: installs what is missing, runs the checks and all tests, and ends with one line of counts.
 */

/** @typedef {{ passed: number, failed: number, skipped?: number }} Count */

ensureInstalled('all')
const node = runtime() ?? process.execPath
ensureChromium()
await ensurePagesBuilt(node)

const scratch = createScratchFolder()
// Ends the tests first, so that the folder is removed.
process.on('SIGINT', () => {})
const exercisedErrors = mkdtempSync(join(scratch, 'exercised-errors-'))

const counts = [...(await runChecksDuring(runTests)), checkExercisedErrors()]
rmSync(scratch, { recursive: true, force: true })

const passed = sum(({ passed }) => passed)
const failed = sum(({ failed }) => failed)
const skipped = sum(({ skipped = 0 }) => skipped)
console.log(`${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`)
process.exit(failed === 0 ? 0 : 1)

/**
 * Runs all tests. A file that cannot be loaded and a run that is interrupted count as failures.
 * @returns {Promise<Count>}
 */
async function runTests() {
  const report = join(scratch, 'report.json')
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const options = { cwd: root, stdio: /** @type {const} */ ('inherit'), env: testEnvironment() }
  const [code] = await once(spawn(node, [vitest, 'run', ...reporters], options), 'close')
  if (!existsSync(report)) return { passed: 0, failed: 1 }
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(
    readFileSync(report, 'utf8'),
  )
  const unloaded = testResults.filter(
    (/** @type {{ status: string, assertionResults: unknown[] }} */ file) =>
      file.status === 'failed' && file.assertionResults.length === 0,
  )
  printSkipped(testResults)
  const failures = numFailedTests + unloaded.length
  return {
    passed: numPassedTests,
    failed: code === 0 ? failures : Math.max(1, failures),
    skipped: numPendingTests + numTodoTests,
  }
}

/**
 * The name of a skipped test has the reason, unless it needs a browser.
 * @param {readonly { name: string, assertionResults: readonly { status: string, fullName: string }[] }[]} files
 */
function printSkipped(files) {
  if (process.env.ASSAY_TEST_LONG !== '1') {
    for (const spec of longSpecs) console.log(`skipped: ${spec} (only with npm run test:long)`)
  }
  const hasBrowser = findTestChromium() !== undefined
  for (const { name: file, assertionResults } of files) {
    for (const { status, fullName } of assertionResults) {
      if (status === 'passed' || status === 'failed') continue
      const needsBrowser = !hasBrowser && status !== 'todo' && !fullName.includes('(only ')
      const reason = needsBrowser ? ' (only with Chromium)' : ''
      console.log(`${status}: ${relative(root, file)}: ${fullName}${reason}`)
    }
  }
}

/**
 * Whether some test exercised every error that an endpoint declares; counts as one test.
 * @returns {Count}
 */
function checkExercisedErrors() {
  const succeeded = run(node, ['tools/check-exercised-errors.ts', exercisedErrors])
  return succeeded ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

/** Without the settings of a service that happens to be configured on this machine. */
function testEnvironment() {
  const environment = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('ASSAY_') || name.startsWith('ASSAY_TEST_'),
  )
  return {
    ...Object.fromEntries(environment),
    TMPDIR: scratch,
    ASSAY_TEST_EXERCISED_ERRORS: exercisedErrors,
  }
}

function ensureChromium() {
  if (findTestChromium() !== undefined) return
  if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0) {
    console.log('Installing Chromium for the browser tests; this takes a minute, once.')
    aptGet('update')
    for (const name of ['chromium-headless-shell', 'chromium']) {
      if (findTestChromium() === undefined) aptGet('install', '-y', '--no-install-recommends', name)
    }
  }
  if (findTestChromium() === undefined) {
    console.log(
      'Chromium was not found: browser tests are skipped. Install it (apt install chromium) or set ASSAY_TEST_CHROMIUM to its path.',
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
