import { Client, type ClientConfig } from 'pg'
import { isFull } from './postgres-reachability.ts'

/*
 * Whether a server accepts connections again that has refused one: a pool whose open connections suffice makes no new ones,
 * and would not find out.
 */

export interface ConnectionTrials {
  /** Tries every few seconds until a connection responds, unless that is being tried already. */
  start(): void
  stop(): void
}

export function openConnectionTrials(
  settings: ClientConfig,
  onResponse: () => void,
  everyMs = 10_000,
): ConnectionTrials {
  let timer: NodeJS.Timeout | undefined
  const stop = () => {
    clearTimeout(timer)
    timer = undefined
  }
  const start = () => {
    timer ??= setTimeout(() => void tryOnce(), everyMs).unref()
  }
  const tryOnce = async () => {
    const tried = timer
    const responds = await isResponding(settings)
    // Stopped meanwhile.
    if (timer !== tried) return
    stop()
    if (responds) onResponse()
    else start()
  }
  return { start, stop }
}

async function isResponding(settings: ClientConfig): Promise<boolean> {
  const client = new Client(settings)
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch (error) {
    return isFull(error)
  } finally {
    // Not awaited: a server that is frozen now would not close it.
    void client.end().catch(() => {})
  }
}
