import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/*
 * Installs the packages and the Node version that the rest of the repository runs on. Plain JavaScript for Node 20,
 * because nothing newer may be installed yet.
 */

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * @typedef {object} LockedPackage
 * @property {string} [version]
 * @property {string} [integrity]
 * @property {boolean} [link]
 * @property {boolean} [dev]
 * @property {boolean} [optional]
 * @property {boolean} [devOptional]
 */

/**
 * Installs what is missing or differs from the lock file: `run` is what the service needs, `all` adds what tests
 * and checks need. An installation for `all` stays one for `all`.
 * @param {'run' | 'all'} scope
 */
export function ensureInstalled(scope) {
  const locked = listPackages('package-lock.json')
  const installed = listPackages('node_modules/.package-lock.json')
  if (isInstalled(scope, locked, installed) && runtime() !== undefined) return
  const hadAll = Object.values(installed).some((one) => one.dev === true)
  install(scope === 'all' || hadAll ? 'all' : 'run')
  if (runtime() === undefined) {
    fail(`Install Node 24 or newer: npm has no Node for ${process.platform} ${process.arch}.`)
  }
}

/**
 * The Node that runs TypeScript: the one installed by npm, else the current one if it is new enough.
 * @returns {string | undefined}
 */
export function runtime() {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const prefix = platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'
  const executable = platform === 'win' ? 'node.exe' : 'node'
  const bundledNode = join(
    root,
    'node_modules',
    `${prefix}-${platform}-${process.arch}`,
    'bin',
    executable,
  )
  if (process.execPath === bundledNode || runs(bundledNode)) return bundledNode
  return Number(process.versions.node.split('.')[0]) >= 24 ? process.execPath : undefined
}

/**
 * Runs a command in this repository to completion, with its output shown.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {boolean} whether it succeeded
 */
export function run(command, args, env = process.env) {
  return spawnSync(command, args, { cwd: root, stdio: 'inherit', env }).status === 0
}

/**
 * @param {string} message
 * @returns {never}
 */
export function fail(message) {
  console.error(message)
  process.exit(1)
}

/**
 * @param {string} path
 * @returns {Record<string, LockedPackage>}
 */
function listPackages(path) {
  const file = join(root, path)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {}
}

/**
 * npm writes its list of installed packages last, so the list exists only after a complete installation.
 * @param {'run' | 'all'} scope
 * @param {Record<string, LockedPackage>} locked
 * @param {Record<string, LockedPackage>} installed
 */
function isInstalled(scope, locked, installed) {
  return Object.entries(locked).every(([path, lockedPackage]) => {
    if (!path.includes('node_modules/') || lockedPackage.link === true) return true
    if (lockedPackage.dev === true && scope === 'run') return true
    const found = installed[path]
    if (found === undefined)
      return lockedPackage.optional === true || lockedPackage.devOptional === true
    return found.version === lockedPackage.version && found.integrity === lockedPackage.integrity
  })
}

/** @param {'run' | 'all'} scope */
function install(scope) {
  console.log(
    scope === 'run'
      ? 'Installing the dependencies of Assay; this takes a minute, once.'
      : 'Installing the dependencies of Assay, its tests and checks; this takes a minute or two, once.',
  )
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
  args.push(scope === 'run' ? '--omit=dev' : '--include=dev')
  // npm runs on its own Node: the one in node_modules is about to be replaced.
  const { npm_execpath: npm, npm_node_execpath: node } = process.env
  const [command, first] = npm === undefined ? ['npm', []] : [node ?? process.execPath, [npm]]
  const { status } = spawnSync(command, [...first, ...args], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: npm === undefined && process.platform === 'win32',
  })
  if (status !== 0) fail('The installation failed; see the output of npm above.')
}

/** @param {string} node */
function runs(node) {
  return existsSync(node) && spawnSync(node, ['--version']).status === 0
}
