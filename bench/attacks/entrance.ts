import { fork } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

/*
 * One address for several services, as a balancer of connections gives it: each new one goes to the next service, and all
 * that its client does with it, such as leaving or not reading, reaches the service. It runs in a process of its own, so
 * that what passes through it delays nobody who measures.
 */

export interface Entrance {
  readonly origin: string
  close(): void
}

export async function startEntrance(origins: readonly string[]): Promise<Entrance> {
  const child = fork(import.meta.filename, [...origins], { execArgv: [] })
  const [port] = (await once(child, 'message')) as [number]
  return { origin: `http://127.0.0.1:${port}`, close: () => void child.kill() }
}

if (process.send !== undefined && process.argv[1] === import.meta.filename) {
  const origins = process.argv.slice(2).map((origin) => new URL(origin))
  let next = 0
  const server = createServer((client) => {
    const { hostname, port } = origins[next++ % origins.length] as URL
    const service = connect(Number(port), hostname)
    for (const [one, other] of [
      [client, service],
      [service, client],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroySoon())
      one.pipe(other)
    }
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
  process.once('disconnect', () => process.exit())
}
