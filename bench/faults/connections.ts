import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { besideOthers, judgeBeside, sendAsUsual, unharmed } from './bystander.ts'
import { type Fault, judge, seconds } from './fault.ts'
import { holdSockets } from './hold-sockets.ts'
import { openPeople } from './people.ts'
import { type Rig, until, withRig } from './rig.ts'
import type { SocketOutcome } from './sockets.ts'

/*
 * Clients that send slowly, do not read, vanish, or only hold connections.
 */

const mb = 1024 * 1024

function countDescriptors(rig: Rig): number {
  return readdirSync(`/proc/${rig.service().process.pid}/fd`).length
}

const slowUploads: Fault = {
  number: 10,
  fault: '2,000 uploads of one byte per second',
  promise: 'they are ended, and others do not notice',
  target: `closed after 60 s, checked every 5 s; ${unharmed}; + 200 MB at most`,
  async measure({ isQuick }) {
    const count = isQuick ? 300 : 2000
    return await withRig({}, async (rig) => {
      const heads = Array.from({ length: count }, (_, n) => {
        const path = n % 2 === 0 ? '/api/v1/traces/ingest' : '/api/v1/traces'
        const key = `x-tracing-key: ${rig.owner.tracing_key}`
        return `POST ${path} HTTP/1.1\r\nhost: localhost\r\n${key}\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n{`
      })
      const { origin } = rig.service()
      const beside = await besideOthers(rig, isQuick ? 10 : 50, async () => {
        const plan = { origin, heads, trickle: ' ', isReading: true, holdSeconds: 90 }
        const { outcome } = await holdSockets(plan)
        return () => outcome
      })
      const { closed, opened, lastClosedMs, statuses } = beside.held
      const measurements = `${opened} opened, ${closed} closed by the service after at most ${seconds(lastClosedMs)} (${listStatuses(statuses)})`
      return judgeBeside(
        beside,
        measurements,
        200 * mb,
        { 'all opened': opened === count, 'all closed': closed === opened },
        { 'closed within 66 s': lastClosedMs <= 66_000 },
      )
    })
  },
}

const listStatuses = (statuses: Readonly<Record<string, number>>) =>
  Object.entries(statuses)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ') || 'no responses'

const stalledReaders: Fault = {
  number: 11,
  fault:
    'live streams and exports of 25 members, as many as are allowed, whose clients stop reading',
  promise:
    'the memory per stream is bounded; a stream is cut 60 s after its client stopped reading',
  target: `64 KiB each and 100 MB at most; exports closed 60 s after the service could last send; ${unharmed}`,
  async measure({ isQuick }) {
    return await withRig({ env: { ASSAY_TRUST_PROXY: '1' } }, async (rig) => {
      const people = await openPeople(rig, isQuick ? 4 : 25, 'Admin')
      // Larger than what the kernel buffers for a connection.
      const writers = rig.startWriters({ writers: 4, input: 'word '.repeat(20_000) })
      await until(() => rig.ledger.counts.acknowledgedSpans >= 400, 60_000)
      await writers.stop()
      const { origin } = rig.service()
      const project = `/api/v1/projects/${rig.owner.project.id}`
      const requestEach = (path: string, count: number) =>
        people.flatMap(({ cookie }) =>
          Array.from(
            { length: count },
            () =>
              `GET ${project}/${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncookie: ${cookie}\r\n\r\n`,
          ),
        )
      const stalled = { origin, isReading: false, holdSeconds: isQuick ? 80 : 110 }
      // The threads that read have then started, and have what they cache.
      for (const { cookie } of people.slice(0, 3))
        await readExport(`${origin}${project}/export`, cookie)
      const beside = await besideOthers(rig, 30, async () => {
        // First, because live streams take all that an organization may have open.
        // A client that does not read learns that its connection was closed when it sends.
        const sending = { ...stalled, trickle: '\r\n' }
        const exports = await holdSockets({ ...sending, heads: requestEach('export', 3) })
        const streams = await holdSockets({ ...stalled, heads: requestEach('traces/live', 17) })
        return () => Promise.all([streams.outcome, exports.outcome])
      })
      const [ofStreams, ofExports] = beside.held
      const open = acceptedOf(ofStreams) + acceptedOf(ofExports)
      const measurements = `${ofStreams.opened} live streams (${listStatuses(ofStreams.statuses)}), ${ofExports.opened} exports (${listStatuses(ofExports.statuses)}), of which ${ofExports.closed} closed at most ${seconds(ofExports.lastClosedMs)} after the service could last send; ${Math.round(beside.grewBytes / open / 1024)} KiB for each accepted`
      return judgeBeside(
        beside,
        measurements,
        // A connection takes some of it, whatever is buffered.
        open * 64 * 1024 + 100 * mb,
        {
          'both kinds were accepted': acceptedOf(ofStreams) > 0 && acceptedOf(ofExports) > 0,
          'all exports closed': ofExports.closed === ofExports.opened,
        },
        { 'exports closed within 75 s': ofExports.lastClosedMs <= 75_000 },
      )
    })
  },
}

async function readExport(url: string, cookie: string): Promise<void> {
  const response = await fetch(url, { headers: { cookie } })
  if (!response.ok) throw new Error(`the export was refused: ${response.status}`)
  await response.body?.pipeTo(new WritableStream())
}

const acceptedOf = ({ statuses }: SocketOutcome) => statuses['200'] ?? 0

const vanishedClients: Fault = {
  number: 12,
  fault:
    '600 clients that stop responding: idle, in the middle of headers, in the middle of a body',
  promise: 'their connections are closed',
  target: 'closed after 90 s; file descriptors as before',
  async measure({ isQuick }) {
    const count = isQuick ? 60 : 600
    return await withRig({}, async (rig) => {
      await sendAsUsual(rig, 2)
      await sleep(500)
      const before = countDescriptors(rig)
      const key = `x-tracing-key: ${rig.owner.tracing_key}`
      const kinds = [
        'GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n',
        'GET /healthz HTTP/1.1\r\nhost: localhost\r\n',
        `POST /api/v1/traces HTTP/1.1\r\nhost: localhost\r\n${key}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{`,
      ]
      const heads = Array.from({ length: count }, (_, n) => kinds[n % kinds.length] ?? '')
      const { origin } = rig.service()
      const held = await holdSockets({ origin, heads, isReading: true, holdSeconds: 200 })
      await until(() => countDescriptors(rig) >= before + count, 10_000)
      const during = countDescriptors(rig)
      // A stopped process neither closes nor reads, and the kernel does not tell the service.
      process.kill(held.pid, 'SIGSTOP')
      const stoppedAt = performance.now()
      const isGone = await until(() => countDescriptors(rig) <= before + 2, 120_000)
      const goneMs = performance.now() - stoppedAt
      held.kill()
      const gone = isGone ? `closed after ${seconds(goneMs)}` : 'some still open after 120 s'
      const measured = `${during - before} connections of a stopped process, ${gone}. The peer's kernel still acknowledged packets, so this shows the service's own limits, not a lost network`
      return judge(
        measured,
        { 'all opened': during - before >= count - 5, 'all closed': isGone },
        { 'closed within 90 s': goneMs <= 90_000 },
      )
    })
  },
}

const idleConnections: Fault = {
  number: 13,
  fault: '10,000 idle connections',
  promise: 'the service works as usual',
  target: `${unharmed}; + 250 MB at most`,
  async measure({ isQuick }) {
    const count = isQuick ? 2000 : 10_000
    return await withRig({}, async (rig) => {
      const { origin } = rig.service()
      // Each has had a response: a connection without a request is closed earlier.
      const head = 'GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n'
      const heads = Array.from({ length: count }, () => head)
      const beside = await besideOthers(rig, 15, async () => {
        const connections = await holdSockets({ origin, heads, isReading: true, holdSeconds: 600 })
        await until(() => countDescriptors(rig) >= count, 10_000)
        const open = countDescriptors(rig)
        return () => {
          connections.kill()
          return open
        }
      })
      const isGone = await until(() => countDescriptors(rig) < 200, 30_000)
      return judgeBeside(beside, `${beside.held} file descriptors`, 250 * mb, {
        'all opened': beside.held >= count,
        'closed with their clients': isGone,
      })
    })
  },
}

export const connectionFaults: readonly Fault[] = [
  slowUploads,
  stalledReaders,
  vanishedClients,
  idleConnections,
]
