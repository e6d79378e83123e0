import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fail, root, run } from './installation.mjs'

/*
 * Builds the web apps if their sources have changed.
 */

const apps = ['web/tracing', 'web/chat']
const sources = [...apps, 'web/account', 'web/ui', 'contract/src']
const stamp = join(root, '.cache', 'pages')

/** @param {string} node the Node to build with */
export function ensurePagesBuilt(node) {
  const fingerprint = computeFingerprint(sources)
  const isBuilt = apps.every((app) => existsSync(join(root, app, 'dist/index.html')))
  if (isBuilt && existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) return
  console.log('Building the pages.')
  for (const app of apps) {
    if (!run(node, [vite(app), 'build', app, '--logLevel', 'error']))
      fail('The pages could not be built; see the output above.')
  }
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, fingerprint)
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
