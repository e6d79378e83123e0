import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fail, root } from './installation.mjs'

/*
 * Builds the web apps if their sources have changed.
 */

const apps = ['web/tracing', 'web/chat']
const sources = [...apps, 'web/account', 'web/ui', 'contract/src']
const stamp = join(root, '.cache', 'pages')

/** @param {string} node the Node to build with */
export async function ensurePagesBuilt(node) {
  const fingerprint = computeFingerprint(sources)
  const isBuilt = apps.every((app) => existsSync(join(root, app, 'dist/index.html')))
  if (isBuilt && existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) return
  console.log('Building the pages.')
  const codes = await Promise.all(apps.map((app) => build(node, app)))
  if (codes.some((code) => code !== 0)) fail('The pages could not be built; see the output above.')
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, fingerprint)
}

/**
 * @param {string} node
 * @param {string} app
 * @returns {Promise<number | null>} the exit code
 */
async function build(node, app) {
  const args = [vite(app), 'build', app, '--logLevel', 'error']
  const [code] = await once(spawn(node, args, { cwd: root, stdio: 'inherit' }), 'close')
  return code
}

/** @param {string} app */
function vite(app) {
  const manifest = createRequire(join(root, app, 'package.json')).resolve('vite/package.json')
  return join(dirname(manifest), 'bin/vite.js')
}

/** @param {readonly string[]} folders */
function computeFingerprint(folders) {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')))
  for (const file of folders.flatMap(filesIn)) {
    hash.update(`\0${file}\0`).update(readFileSync(join(root, file)))
  }
  return hash.digest('hex')
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function filesIn(folder) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true })
  return entries
    .filter(({ name }) => name !== 'node_modules' && name !== 'dist')
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`
      return entry.isDirectory() ? filesIn(path) : [path]
    })
}
