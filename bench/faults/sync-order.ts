/*
 * Reads what strace has recorded of all threads: whether the log was synced before each acknowledgement.
 */

const log = 'telemetry.sqlite-wal'

export interface SyncOrder {
  /** Acknowledgements that were sent. */
  readonly responses: number
  /** Those before which the log had writes that were not synced, or no sync at all. */
  readonly unsynced: number
}

/** `calls` is the output of `strace -f -y` with writes and syncs, one line per call or part of one. */
export function countUnsynced(calls: string): SyncOrder {
  const syncing = new Set<string>()
  const order = { responses: 0, unsynced: 0 }
  const state = { hasUnsynced: false, syncs: 0 }
  for (const line of calls.split('\n')) {
    const thread = line.slice(0, line.indexOf(' '))
    const isOfLog = line.includes(log)
    if (isOfLog && line.includes(' pwrite64(')) state.hasUnsynced = true
    const isSync = /\b(?:fsync|fdatasync)\b/.test(line)
    if (isSync && isOfLog && line.includes('<unfinished')) syncing.add(thread)
    const isEnd = isSync && (line.includes('resumed') ? syncing.delete(thread) : isOfLog)
    if (isEnd && line.trimEnd().endsWith('= 0')) {
      state.hasUnsynced = false
      state.syncs += 1
    }
    if (/HTTP\/1\.1 20[02]/.test(line)) {
      order.responses += 1
      if (state.hasUnsynced || state.syncs === 0) order.unsynced += 1
      state.syncs = 0
    }
  }
  return order
}
