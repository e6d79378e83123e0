import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { ms } from '../page.ts'
import { describe, isUnharmed, sendAsUsual, unharmed } from './bystander.ts'
import { type Fault, judge, megabytes, seconds } from './fault.ts'
import { holdSockets } from './hold-sockets.ts'
import { watchMemory } from './memory.ts'
import { openPeople } from './people.ts'
import { openRig, type Rig, until } from './rig.ts'

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
    const rig = await openRig()
    const { origin } = rig.service()
    const quiet = await sendAsUsual(rig, 5)
    const memory = watchMemory(rig.service())
    const heads = Array.from({ length: count }, (_, n) => {
      const path = n % 2 === 0 ? '/api/v1/traces/ingest' : '/api/v1/traces'
      const key = `x-tracing-key: ${rig.owner.tracing_key}`
      return `POST ${path} HTTP/1.1\r\nhost: localhost\r\n${key}\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n{`
    })
    const held = await holdSockets({
      ...{ origin, heads, trickle: ' ', isReading: true, holdSeconds: 90 },
    })
    const others = await sendAsUsual(rig, isQuick ? 10 : 50)
    const { closed, opened, lastClosedMs, statuses } = await held.outcome
    const grewBytes = memory.stop()
    await rig.end()
    const measured = `${opened} opened, ${closed} closed by the service after at most ${seconds(lastClosedMs)} (${listStatuses(statuses)}); ${describe(others)} (before: p99 ${ms(quiet.p99Ms)}); + ${megabytes(grewBytes)}`
    return judge(measured, {
      'all opened': opened === count,
      'all closed within 66 s': closed === opened && lastClosedMs <= 66_000,
      [unharmed]: isUnharmed(others, quiet),
      'others not refused': others.refused === 0,
      '+ 200 MB at most': grewBytes <= 200 * mb,
    })
  },
}

const listStatuses = (statuses: Readonly<Record<string, number>>) =>
  Object.entries(statuses)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ') || 'no responses'

const stalledReaders: Fault = {
  number: 11,
  fault: '500 live streams and exports of 25 members, whose clients stop reading',
  promise:
    'the memory per stream is bounded; a stream is cut 60 s after its client stopped reading',
  target: `64 KiB each, exports closed after 60 s; ${unharmed}`,
  async measure({ isQuick }) {
    const rig = await openRig({ env: { ASSAY_TRUST_PROXY: '1' } })
    const people = await openPeople(rig, isQuick ? 4 : 25, 'Admin')
    // Larger than what the kernel buffers for a connection.
    const writers = rig.startWriters({ writers: 4, input: 'word '.repeat(20_000) })
    await until(() => rig.ledger.counts.acknowledgedSpans >= 400, 60_000)
    await writers.stop()
    const quiet = await sendAsUsual(rig, 5)
    const memory = watchMemory(rig.service())
    const { origin } = rig.service()
    const project = `/api/v1/projects/${rig.owner.project.id}`
    const request = (cookie: string, path: string) =>
      `GET ${path} HTTP/1.1\r\nhost: localhost\r\ncookie: ${cookie}\r\n\r\n`
    const live = people.flatMap(({ cookie }) =>
      Array.from({ length: 17 }, () => request(cookie, `${project}/traces/live`)),
    )
    const exported = people.flatMap(({ cookie }) =>
      Array.from({ length: 3 }, () => request(cookie, `${project}/export`)),
    )
    const holdSeconds = isQuick ? 80 : 100
    const streams = await holdSockets({ origin, heads: live, isReading: false, holdSeconds })
    const exports = await holdSockets({ origin, heads: exported, isReading: false, holdSeconds })
    const others = await sendAsUsual(rig, 30)
    const [ofStreams, ofExports] = await Promise.all([streams.outcome, exports.outcome])
    const grewBytes = memory.stop()
    await rig.end()
    const count = ofStreams.opened + ofExports.opened
    const measured = `${ofStreams.opened} live streams (${listStatuses(ofStreams.statuses)}), ${ofExports.opened} exports (${listStatuses(ofExports.statuses)}), of which ${ofExports.closed} closed after at most ${seconds(ofExports.lastClosedMs)}; + ${megabytes(grewBytes)}, ${Math.round(grewBytes / count / 1024)} KiB each; ${describe(others)} (before: p99 ${ms(quiet.p99Ms)})`
    return judge(measured, {
      'exports closed within 75 s':
        ofExports.closed === ofExports.opened && ofExports.lastClosedMs <= 75_000,
      // A connection takes some of it, whatever is buffered.
      '+ 64 KiB each and 100 MB at most': grewBytes <= count * 64 * 1024 + 100 * mb,
      [unharmed]: isUnharmed(others, quiet),
      'others not refused': others.refused === 0,
    })
  },
}

const vanishedClients: Fault = {
  number: 12,
  fault:
    '600 clients that stop responding: idle, in the middle of headers, in the middle of a body',
  promise: 'their connections are closed',
  target: 'closed after 90 s; file descriptors as before',
  async measure({ isQuick }) {
    const count = isQuick ? 60 : 600
    const rig = await openRig()
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
    await rig.end()
    const gone = isGone ? `closed after ${seconds(goneMs)}` : 'some still open after 120 s'
    const measured = `${during - before} connections of a stopped process, ${gone}. The peer's kernel still acknowledged packets, so this shows the service's own limits, not a lost network`
    return judge(measured, {
      'all opened': during - before >= count - 5,
      'closed within 90 s': isGone && goneMs <= 90_000,
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
    const rig = await openRig()
    const quiet = await sendAsUsual(rig, 5)
    const memory = watchMemory(rig.service())
    const { origin } = rig.service()
    // Each has had a response: a connection without a request is closed earlier.
    const head = 'GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n'
    const heads = Array.from({ length: count }, () => head)
    const held = await holdSockets({ origin, heads, isReading: true, holdSeconds: 600 })
    await until(() => countDescriptors(rig) >= count, 10_000)
    const open = countDescriptors(rig)
    const others = await sendAsUsual(rig, 15)
    held.kill()
    const grewBytes = memory.stop()
    const isGone = await until(() => countDescriptors(rig) < 200, 30_000)
    await rig.end()
    const measured = `${open} file descriptors; ${describe(others)} (before: p99 ${ms(quiet.p99Ms)}); + ${megabytes(grewBytes)}`
    return judge(measured, {
      'all opened': open >= count,
      [unharmed]: isUnharmed(others, quiet),
      'others not refused': others.refused === 0,
      '+ 250 MB at most': grewBytes <= 250 * mb,
      'closed with their clients': isGone,
    })
  },
}

export const connectionFaults: readonly Fault[] = [
  slowUploads,
  stalledReaders,
  vanishedClients,
  idleConnections,
]
