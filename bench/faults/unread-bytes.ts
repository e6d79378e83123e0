import { readFileSync } from 'node:fs'

/** By port of the client: the bytes that a service on this machine has sent on open connections, and nobody has read. */
export function countUnread(servicePort: number): ReadonlyMap<number, number> {
  const unread = new Map<number, number>()
  for (const line of ['/proc/net/tcp', '/proc/net/tcp6'].flatMap(readLines)) {
    const [, local, remote, state, queues] = line
    const [unacknowledged, received] = queues.split(':').map((bytes) => Number.parseInt(bytes, 16))
    const add = (port: number, bytes = 0) => unread.set(port, (unread.get(port) ?? 0) + bytes)
    if (state !== established) continue
    if (toPort(local) === servicePort) add(toPort(remote), unacknowledged)
    if (toPort(remote) === servicePort) add(toPort(local), received)
  }
  return unread
}

const established = '01'

type Line = readonly [number: string, local: string, remote: string, state: string, queues: string]

function readLines(file: string): readonly Line[] {
  const [, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n')
  return lines.map((line) => line.trim().split(/\s+/) as unknown as Line)
}

const toPort = (address: string) => Number.parseInt(address.split(':')[1] ?? '', 16)
