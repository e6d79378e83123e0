import { spawnSync } from 'node:child_process'
import { ensureInstalled, root, runtime } from './installation.mjs'

/*
 * `npm run fuzz`: as many requests from the declared schemas as an argument says, 100,000 unless told.
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
