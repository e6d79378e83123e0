import { Agent } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import type { ClickHouseClientConfigOptions } from '@clickhouse/client'

/*
 * Connections that are kept open between statements.
 */

/** Servers close them later: after ten seconds by default, or when they say so in a header, which the agent reads. */
const idleMs = 2_500

/**
 * What has the client leave idle connections to an agent of Node. Its own timer (in 1.23.1) goes on when a connection is
 * given to a statement that has just been aborted, and then closes it under a later statement of somebody else.
 */
export function keepIdle(
  url: string,
  maxSockets: number,
): Pick<ClickHouseClientConfigOptions, 'http_agent' | 'keep_alive'> {
  const options = { keepAlive: true, timeout: idleMs, maxSockets }
  return {
    http_agent: new URL(url).protocol === 'https:' ? new TlsAgent(options) : new Agent(options),
    keep_alive: { enabled: true, idle_socket_ttl: 0 },
  }
}
