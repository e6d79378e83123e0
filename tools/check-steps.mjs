import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { root } from './installation.mjs'

/*
 * Checks of sources and documents, each a command that succeeds or prints what is wrong.
 */

/** @typedef {readonly [name: string, command: string, ...args: string[]]} Step */

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
]

/**
 * Runs every check and prints one line for each, followed by the output of those that fail.
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function runChecks() {
  const waiting = [...steps]
  const outcomes = /** @type {boolean[]} */ ([])
  const worker = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      outcomes.push(await runStep(step))
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))
  const passed = outcomes.filter((succeeded) => succeeded).length
  return { passed, failed: outcomes.length - passed }
}

/**
 * @param {Step} step
 * @returns {Promise<boolean>}
 */
function runStep([name, command, ...args]) {
  const began = performance.now()
  const path = join(root, 'node_modules', '.bin') + delimiter + (process.env.PATH ?? '')
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PATH: path },
    shell: process.platform === 'win32',
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  return new Promise((resolve) => {
    const end = (/** @type {boolean} */ succeeded) => {
      const seconds = ((performance.now() - began) / 1000).toFixed(1)
      console.log(`${succeeded ? 'ok  ' : 'FAIL'} ${name.padEnd(24)} ${seconds.padStart(5)} s`)
      if (!succeeded) console.log(output.trimEnd())
      resolve(succeeded)
    }
    child.on('error', (error) => {
      output += error.message
      end(false)
    })
    child.on('close', (code) => end(code === 0))
  })
}
