import { ensureInstalled, fail, root, run, runtime } from './installation.mjs'
import { longSpecs } from './long-specs.mjs'
import { ensurePagesBuilt } from './pages.mjs'

/*
 * `npm run test:long`: tests that take too long for every change: 20 kills under load, a PostgreSQL server that is
 * frozen or full, a killed job, execution and rotation of the master secret, system calls that fail or kill, a trace of
 * 100,000 spans, each signal to each process of `npm start`, each work that delays a stop, windows of seven projects,
 * every page by the rules of axe, the telemetry store in the engine of
 * ClickHouse, the suites of the HTTP interface on PostgreSQL and ClickHouse, every body with every method, 100,000 requests generated from the contract, the specs of
 * long-specs.mjs, ten minutes of steady load with a prober, and ten minutes of attacks while somebody else uses the
 * service.
 */

ensureInstalled('all')
// The engine of ClickHouse is large, and only these tests need it.
run('npm', ['install', '--no-workspaces', '--prefix', 'server/test/clickhouse'])
const node = runtime() ?? process.execPath
await ensurePagesBuilt(node)
const vitest = `${root}/node_modules/vitest/vitest.mjs`
const long = { ...process.env, ASSAY_TEST_LONG: '1', ASSAY_TEST_FUZZ_REQUESTS: '100000' }

const steps = [
  () =>
    run(
      node,
      [
        vitest,
        'run',
        ...longSpecs,
        'e2e/crash.spec.ts',
        'e2e/database-down.spec.ts',
        'e2e/jobs.spec.ts',
        'e2e/large-trace.spec.ts',
        'e2e/start-and-stop.spec.ts',
        'e2e/tabs.spec.ts',
        'server/src/storage/telemetry/sqlite/durability.db.test.ts',
        'server/test/contract-fuzz.db.test.ts',
        'server/test/key-rotation.db.test.ts',
        'server/test/route-advisories.db.test.ts',
      ],
      long,
    ),
  // The suites of the HTTP interface once more, on PostgreSQL and ClickHouse.
  () =>
    run(
      node,
      [
        ...[vitest, 'run', '--project', 'database', '--testTimeout=180000', 'server/src/features'],
        'server/test/advisories.db.test.ts',
        'server/test/contract-wide.db.test.ts',
        'server/test/route-advisories.db.test.ts',
      ],
      { ...long, ASSAY_TEST_SCALED: '1' },
    ),
  () => run(node, ['bench/soak.ts', ...process.argv.slice(2)]),
  () => run(node, ['bench/attacks/run.ts']),
]
const failed = steps.filter((step) => !step()).length
console.log(`${steps.length - failed} passed, ${failed} failed`)
if (failed > 0) fail('The long tests failed; see above.')
