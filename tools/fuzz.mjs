import { spawnSync } from 'node:child_process'
import { ensureInstalled, root, runtime } from './installation.mjs'

/*
 * `npm run fuzz`: requests generated from the declared schemas, 100,000 by default.
 */

ensureInstalled('all')
const { status } = spawnSync(
  runtime() ?? process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', 'server/test/contract-fuzz.db.test.ts'],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ASSAY_TEST_FUZZ_REQUESTS: process.argv[2] ?? '100000' },
  },
)
process.exit(status ?? 1)
