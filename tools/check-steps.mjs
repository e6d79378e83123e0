import { spawn } from 'node:child_process'
import { availableParallelism, constants, freemem, setPriority } from 'node:os'
import { delimiter, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { root } from './installation.mjs'

/*
 * Checks of sources and documents, each a command that succeeds or prints what is wrong.
 */

/** @typedef {readonly [name: string, command: string, ...args: string[]]} Step */
/** @typedef {{ passed: number, failed: number }} Outcome */

/** @type {readonly Step[]} */
const steps = [
  [
    'lint and types',
    'oxlint',
    '--type-aware',
    // Reports what tsc would, by the nearest tsconfig.json, so that types are loaded once.
    '--type-check',
    '--report-unused-disable-directives-severity=error',
  ],
  ['dead code', 'knip', '--no-progress'],
  ['directions of imports', 'node', 'tools/check-imports.ts'],
  ['format', 'biome', 'check', '--error-on-warnings', '.'],
  ['names and suppressions', 'node', 'tools/check-names.ts'],
  ['documents', 'node', 'tools/check-docs.ts'],
  ['lock file', 'node', 'tools/check-lock.ts'],
  ['deployment', 'node', 'tools/check-deploy.ts'],
]

/**
 * Types are checked a fifth faster with 7 GB for the checks, which leaves as much for tests at the same time.
 */
const hasMemory = freemem() > 16 * 1024 ** 3

/**
 * Runs every check and prints one line for each, followed by the output of those that fail.
 * @returns {Promise<Outcome>}
 */
export function runChecks() {
  return runSteps(console.log, constants.priority.PRIORITY_NORMAL)
}

/**
 * Runs every check while something else is done, which waits for nothing but the checks that it does not leave time
 * for. Where memory is scarce, the checks come first.
 * @template Result
 * @param {() => Promise<Result>} work
 * @returns {Promise<[checks: Outcome, work: Result]>}
 */
export async function runChecksDuring(work) {
  if (!hasMemory) return [await runChecks(), await work()]
  const output = /** @type {string[]} */ ([])
  const checks = runSteps((text) => void output.push(text), constants.priority.PRIORITY_LOW)
  const result = await work()
  const outcome = await checks
  for (const text of output) console.log(text)
  return [outcome, result]
}

/**
 * @param {(text: string) => void} print
 * @param {number} priority as of `os.setPriority`
 * @returns {Promise<Outcome>}
 */
async function runSteps(print, priority) {
  const waiting = [...steps]
  const outcomes = /** @type {boolean[]} */ ([])
  const worker = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      outcomes.push(await runStep(step, print, priority))
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))
  const passed = outcomes.filter((succeeded) => succeeded).length
  return { passed, failed: outcomes.length - passed }
}

/**
 * @param {Step} step
 * @param {(text: string) => void} print
 * @param {number} priority
 * @returns {Promise<boolean>}
 */
function runStep([name, command, ...args], print, priority) {
  const began = performance.now()
  const path = join(root, 'node_modules', '.bin') + delimiter + (process.env.PATH ?? '')
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    // The checker of types is a Go program, and collects garbage less often with this.
    env: { ...(hasMemory ? { GOGC: '400' } : {}), ...process.env, PATH: path },
    shell: process.platform === 'win32',
  })
  if (child.pid !== undefined && priority > 0) setPriority(child.pid, priority)
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  return new Promise((resolve) => {
    const end = (/** @type {boolean} */ succeeded) => {
      const seconds = ((performance.now() - began) / 1000).toFixed(1)
      print(`${succeeded ? 'ok  ' : 'FAIL'} ${name.padEnd(24)} ${seconds.padStart(5)} s`)
      if (!succeeded) print(output.trimEnd())
      resolve(succeeded)
    }
    child.on('error', (error) => {
      output += error.message
      end(false)
    })
    child.on('close', (code) => end(code === 0))
  })
}
