import { spawnSync } from 'node:child_process'
import { ensureInstalled, root, runtime } from './installation.mjs'

/*
 * `npm run assay -- …`: installs what is missing and passes the words on.
 */

ensureInstalled('run')
const node = runtime() ?? process.execPath
const { status } = spawnSync(node, ['server/src/command.ts', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
process.exit(status ?? 1)
