import { expect, test } from 'vitest'
import { countUnsynced } from './sync-order.ts'

const written = '11 pwrite64(20</data/telemetry.sqlite-wal>, "..", 4096, 32) = 4096'
const synced = '11 fdatasync(20</data/telemetry.sqlite-wal>) = 0'
const response = '10 write(24<socket:[1]>, "HTTP/1.1 202 Accepted\\r\\n"..., 300) = 300'
const lines = (...calls: string[]) => countUnsynced(calls.join('\n'))

test('a response after the sync of its spans is in order', () => {
  expect(lines(written, synced, response)).toEqual({ responses: 1, unsynced: 0 })
})

test('a sync that other threads interrupt counts when it has ended', () => {
  const begun = '11 fdatasync(20</data/telemetry.sqlite-wal> <unfinished ...>'
  const ended = '11 <... fdatasync resumed>) = 0'
  expect(lines(written, begun, ended, response).unsynced).toBe(0)
  expect(lines(written, begun, response, ended).unsynced).toBe(1)
})

test.each([
  ['without a sync', [written, response]],
  [
    'whose sync failed',
    [written, synced.replace('= 0', '= -1 EIO (Input/output error)'), response],
  ],
  ['after the sync of another file', [written, synced.replace('telemetry', 'accounts'), response]],
  ['after the sync of the spans before', [written, synced, response, response]],
])('a response %s is counted', (_situation, calls) => {
  expect(lines(...calls).unsynced).toBe(1)
})
