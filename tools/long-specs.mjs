/**
 * Specs that `npm run test:long` runs and `npm test` does not: the load harness, accessibility of every page, faults of
 * disks, starts and stops, which are long because they wait, journeys with encryption keys, each of which needs several
 * browsers without and with keys, and all tests with the engine of ClickHouse, of which a statement
 * takes some ten milliseconds.
 */
export const longSpecs = [
  'e2e/accessibility.spec.ts',
  'e2e/attacks.spec.ts',
  'e2e/chat-accessibility.spec.ts',
  'e2e/chat-encryption-keys.spec.ts',
  'e2e/chat-encryption.spec.ts',
  'e2e/chat-replies.spec.ts',
  'e2e/data-folder.spec.ts',
  'e2e/database-passwords.spec.ts',
  'e2e/moved-folder.spec.ts',
  'e2e/rolling-restart.spec.ts',
  'e2e/running-faults.spec.ts',
  'e2e/several-processes-live.spec.ts',
  'e2e/several-processes.spec.ts',
  'e2e/shards.spec.ts',
  'e2e/stop.spec.ts',
  'e2e/system-faults.spec.ts',
  'server/src/service-traces/clickhouse-outage.db.test.ts',
  'server/src/storage/moving/move-telemetry.db.test.ts',
  'server/src/storage/telemetry/clickhouse/cached-traces.db.test.ts',
  'server/src/storage/telemetry/clickhouse/clickhouse-outage.db.test.ts',
  'server/src/storage/telemetry/clickhouse/clickhouse-reads.db.test.ts',
  'server/src/storage/telemetry/clickhouse/shared-change-feed.db.test.ts',
  'server/src/storage/telemetry/clickhouse/installation-identity.db.test.ts',
  'server/src/storage/telemetry/clickhouse/interrupted-writes.db.test.ts',
  'server/src/storage/telemetry/clickhouse/large-writes.db.test.ts',
  'server/src/storage/telemetry/clickhouse/shards/sharded-store.db.test.ts',
  'server/src/storage/telemetry/clickhouse/shards/shards.db.test.ts',
  'server/src/storage/telemetry/clickhouse/open-store.db.test.ts',
  'server/src/storage/telemetry/clickhouse/pricing-beside-changes.db.test.ts',
  'server/src/storage/telemetry/clickhouse/read-pages.db.test.ts',
  'server/src/storage/telemetry/clickhouse/restored-backup.db.test.ts',
  'server/src/storage/telemetry/clickhouse/signal-removal.db.test.ts',
  'server/src/storage/telemetry/clickhouse/store.db.test.ts',
  'server/src/storage/telemetry/clickhouse/trace-moves.db.test.ts',
  'server/src/storage/telemetry/clickhouse/trace-repair.db.test.ts',
  'server/src/storage/telemetry/clickhouse/verify/verify-cluster.db.test.ts',
]
