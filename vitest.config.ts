import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { findTestChromium } from './tools/chromium.mjs'
import { longSpecs } from './tools/long-specs.mjs'

const seconds = 1000
const isLong = process.env.ASSAY_TEST_LONG === '1'

export default defineConfig({
  test: {
    pool: 'forks',
    // Suites start servers and engines of their own, and small machines have two cores, but a test often waits.
    maxWorkers: 3,
    // Threads and processes that tests start load the sources from it.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, '.cache/node') },
    // Files share a process, its modules and its compiled code: loading them takes longer than most of these tests.
    isolate: false,
    // A busy machine takes its time; it costs nothing when the condition holds at once.
    expect: { poll: { timeout: 15 * seconds } },
    provide: {
      chromium: findTestChromium() ?? null,
      exercisedErrorsFolder: process.env.ASSAY_TEST_EXERCISED_ERRORS ?? null,
      // `npm run test:long` asks for the lengths that a test at every change cannot afford.
      isLong,
      isScaled: process.env.ASSAY_TEST_SCALED === '1',
      fuzzRequests: Number(process.env.ASSAY_TEST_FUZZ_REQUESTS) || null,
      givenClickHouseUrl: process.env.ASSAY_TEST_CLICKHOUSE_URL ?? null,
      givenClickHouseCluster: process.env.ASSAY_TEST_CLICKHOUSE_CLUSTER ?? null,
      givenPostgresUrl: process.env.ASSAY_TEST_DATABASE_URL ?? null,
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          include: ['{contract,server,tools,bench}/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/*.db.test.ts'],
          testTimeout: 20 * seconds,
          hookTimeout: 60 * seconds,
        },
      },
      {
        extends: true,
        test: {
          name: 'database',
          include: ['server/**/*.db.test.ts'],
          exclude: ['**/node_modules/**', ...(isLong ? [] : longSpecs)],
          globalSetup: [
            'server/test/postgres-server.ts',
            'server/test/clickhouse/for-all-tests.ts',
          ],
          testTimeout: 20 * seconds,
          hookTimeout: 60 * seconds,
        },
      },
      {
        extends: true,
        test: {
          name: 'web',
          include: ['web/**/*.test.{ts,tsx}'],
          testTimeout: 20 * seconds,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.spec.ts'],
          exclude: ['**/node_modules/**', ...(isLong ? [] : longSpecs)],
          testTimeout: 120 * seconds,
          hookTimeout: 120 * seconds,
          // A page takes longer.
          expect: { poll: { timeout: 20 * seconds } },
        },
      },
    ],
  },
})
