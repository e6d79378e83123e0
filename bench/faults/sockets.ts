import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { countUnread } from './unread-bytes.ts'

/*
 * Many sockets with strange habits, in a process of their own, which gets the plan from its parent, opens them, sends
 * `open`, holds them, and prints what became of them.
 */

export interface SocketPlan {
  readonly origin: string
  /** One socket for each; what it sends at first. */
  readonly heads: readonly string[]
  /** What it sends every second. */
  readonly trickle?: string
  /** Whether it reads what it gets. */
  readonly isReading: boolean
  readonly holdSeconds: number
}

export interface SocketOutcome {
  readonly opened: number
  /** Closed by the service within the time. */
  readonly closed: number
  /**
   * The latest close, in milliseconds after its socket was opened, or, if it does not read, after the last second in
   * which the service sent something: what the kernel buffers is not at once full.
   */
  readonly lastClosedMs: number
  /** The statuses of the first responses, each with its count. */
  readonly statuses: Readonly<Record<string, number>>
}

interface HeldSocket {
  readonly socket: Socket
  /** When it was opened, or, if it does not read, when the service may have sent something last. */
  activeAt: number
  unreadBytes: number
}

const openedAtOnce = 200

if (process.argv[1] === import.meta.filename)
  process.once('message', (plan: SocketPlan) => void run(plan))

async function run(plan: SocketPlan): Promise<void> {
  const closedMs: number[] = []
  const statuses: Record<string, number> = {}
  const sockets: HeldSocket[] = []
  for (let first = 0; first < plan.heads.length; first += openedAtOnce) {
    const heads = plan.heads.slice(first, first + openedAtOnce)
    const opened = await Promise.all(heads.map((head) => open(plan, head, closedMs, statuses)))
    sockets.push(...opened.filter((socket) => socket !== undefined))
  }
  process.send?.('open')
  const endsAt = performance.now() + plan.holdSeconds * 1000
  for (let at = performance.now(); at < endsAt; ) {
    const since = at
    await sleep(1000)
    at = performance.now()
    if (!plan.isReading) noteActivity(plan, sockets, since)
    if (plan.trickle !== undefined)
      for (const { socket } of sockets) if (socket.writable) socket.write(plan.trickle)
    if (closedMs.length === sockets.length) break
  }
  const outcome: SocketOutcome = {
    ...{ opened: sockets.length, closed: closedMs.length, statuses },
    lastClosedMs: Math.max(0, ...closedMs),
  }
  console.log(JSON.stringify(outcome))
  process.exit(0)
}

async function open(
  { origin, isReading }: SocketPlan,
  head: string,
  closedMs: number[],
  statuses: Record<string, number>,
): Promise<HeldSocket | undefined> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  const held: HeldSocket = { socket, activeAt: performance.now(), unreadBytes: 0 }
  socket.on('error', () => undefined)
  try {
    await once(socket, 'connect')
  } catch {
    return undefined
  }
  socket.once('close', () => closedMs.push(performance.now() - held.activeAt))
  // The first bytes are read in any case: they have the status.
  socket.once('data', (chunk: Buffer) => {
    const status = chunk.toString('latin1', 9, 12)
    statuses[status] = (statuses[status] ?? 0) + 1
    if (isReading) socket.resume()
    else socket.pause()
  })
  if (head !== '') socket.write(head)
  return held
}

/** Notes which of the sockets the service has sent something to since then. */
function noteActivity({ origin }: SocketPlan, sockets: readonly HeldSocket[], since: number): void {
  const unread = countUnread(Number(new URL(origin).port))
  for (const held of sockets) {
    const unreadBytes = unread.get(held.socket.localPort ?? 0) ?? 0
    if (unreadBytes > held.unreadBytes) held.activeAt = since
    held.unreadBytes = Math.max(unreadBytes, held.unreadBytes)
  }
}
