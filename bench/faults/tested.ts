import type { Fault } from './fault.ts'
import { specFault } from './specs.ts'

/*
 * Rows that tests prove.
 */

export const testedFaults: readonly Fault[] = [
  specFault({
    number: 2,
    fault: 'kill -9 at the n-th system call that writes, syncs, truncates, renames or deletes',
    promise: 'each batch is stored whole or not at all; a first start can be repeated',
    target: '0 violations at each of 30 moments of a first start and 30 of ingestion',
    files: ['e2e/system-faults.spec.ts'],
    name: 'killed at',
    isLong: true,
  }),
  specFault({
    number: 15,
    fault: 'duplicate, reordered, split and interleaved batches, late parents',
    promise: 'a trace is a function of its spans, whatever the order of their arrival',
    target: 'equal to the oracle, totals included',
    files: [
      'server/src/storage/telemetry/sqlite/store.db.test.ts',
      'server/src/storage/telemetry/sqlite/writer.db.test.ts',
    ],
    remark: '20 to 60 generated runs per property, each of several batches',
  }),
  specFault({
    number: 20,
    fault: 'generated requests: invalid UTF-8, NUL, surrogates, numbers out of range',
    promise: 'never 500',
    target: 'no undeclared response to 20,000 requests',
    files: ['server/test/contract-fuzz.db.test.ts', 'server/src/http/exact-numbers.test.ts'],
    isLong: true,
  }),
  specFault({
    number: 21,
    fault: 'malformed HTTP, request smuggling, headers that are too long, slow headers',
    promise: 'an error in the envelope, the connection closed, no second request served',
    target: 'every case',
    files: ['server/test/low-level.db.test.ts'],
  }),
  specFault({
    number: 24,
    fault: 'a model provider hangs, resets, responds 429 or garbage, or takes 800 s',
    promise: 'an error event or 502, and no leak',
    target: 'every case',
    files: [
      'server/src/model-gateway/gateway.test.ts',
      'server/src/model-gateway/reply-failures.test.ts',
      'server/src/model-gateway/hostile-replies.test.ts',
      'server/src/features/chat-stream/reply-ends.db.test.ts',
    ],
  }),
  specFault({
    number: 25,
    fault: 'an upgrade from an older schema; a migration that fails; an unknown newer schema',
    promise: 'data is intact, a migration can be repeated, a downgrade is refused with a message',
    target: 'every case',
    files: [
      'server/src/storage/accounts/migrate.db.test.ts',
      'server/src/storage/telemetry/sqlite/file.db.test.ts',
      'e2e/data-folder.spec.ts',
    ],
    remark: 'there is no older release yet: older schemas are those of earlier builds',
  }),
  specFault({
    number: 26,
    fault: 'a backup during ingestion, and a start from it',
    promise: 'the backup has all that was acknowledged before it, and keys still open',
    target: 'the ledger up to the backup is complete',
    files: ['e2e/backup.spec.ts'],
  }),
]
