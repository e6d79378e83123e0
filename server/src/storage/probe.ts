import { setTimeout as sleep } from 'node:timers/promises'

const timeoutMs = 3000

/**
 * A check that returns a problem, or `late` after three seconds. It runs at most once at a time: while a disk or a
 * server hangs, each run would occupy a thread or a connection.
 */
export function openProbe(
  check: () => Promise<string | undefined>,
  late: string,
): () => Promise<string | undefined> {
  let running: Promise<string | undefined> | undefined
  return async () => {
    running ??= check().finally(() => (running = undefined))
    return await Promise.race([running, sleep(timeoutMs, late, { ref: false })])
  }
}
