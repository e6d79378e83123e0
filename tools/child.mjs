import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { root } from './installation.mjs'

/*
 * Runs a child process that does not outlive this one, however this one ends.
 */

const parentCheckMs = 500

/**
 * Runs a script to its end and exits with its exit code. Signals are forwarded. When this process is killed, the IPC
 * channel closes and the child stops itself; when npm is killed, the child is stopped.
 * @param {string} node
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
export function runUntilExit(node, args, env = process.env) {
  const child = spawn(node, args, {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env,
  })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal))
  }
  const hasParents = parentCheck()
  const check = setInterval(() => {
    if (hasParents()) return
    clearInterval(check)
    child.kill('SIGTERM')
  }, parentCheckMs)
  child.on('exit', (code) => process.exit(code ?? 1))
}

/** Some shells stay between npm and its script and outlive npm, so npm itself is checked too. */
function parentCheck() {
  const parent = process.ppid
  const isRunByNpm = process.env.npm_lifecycle_event !== undefined
  const npm = isRunByNpm ? findParent(parent) : undefined
  return () => process.ppid === parent && (npm === undefined || isRunning(npm))
}

/**
 * @param {number} pid
 * @returns {number | undefined}
 */
function findParent(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2])
  } catch {
    // Systems other than Linux. Windows has no ps: a killed npm is not noticed there.
    const { stdout } = spawnSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' })
    return Number(stdout) || undefined
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
