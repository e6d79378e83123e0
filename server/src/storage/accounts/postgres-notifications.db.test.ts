import { once } from 'node:events'
import { connect as connectTo, createServer, type Server, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import {
  openTestNotifications,
  type TestNotifications,
} from '../../../test/postgres-notifications.ts'
import { execute } from '../../../test/postgres-server.ts'
import { runFor } from '../../platform/current-requester.ts'
import { maxMessageBytes } from '../../platform/notifications.ts'
import type { NotificationTimes } from './postgres-notifications.ts'

/*
 * Two processes, of which the first one listens through a proxy that tests can cut.
 */

const quickPauses: Partial<NotificationTimes> = { firstPauseMs: 10, longestPauseMs: 50 }
/** Where a connection is to be lost: on a busy machine, others would lose theirs by it. */
const quickHeartbeat = { ...quickPauses, heartbeatMs: 300 }

let url: string
let proxy: Awaited<ReturnType<typeof openProxy>>
let opened: TestNotifications[]
beforeAll(async () => {
  url = inject('postgresUrl')
})
beforeEach(async () => {
  opened = []
  proxy = await openProxy(new URL(url))
})
afterEach(async () => {
  await Promise.all(opened.map((one) => one.close()))
  proxy.close()
})

/** A process that has received what `received` and `gaps` count. */
function start(through = url, times = quickPauses) {
  const notifications = openTestNotifications(url, times, through)
  opened.push(notifications)
  const received: unknown[] = []
  const gaps: string[] = []
  notifications.listen('jobs', {
    onMessage: (message) => received.push(message),
    onGap: () => gaps.push('gap'),
  })
  return { ...notifications, received, gaps }
}

async function open(through = url, times = quickPauses) {
  const started = start(through, times)
  await expect.poll(started.isConnected).toBe(true)
  started.gaps.length = 0
  return started
}

describe('notifications between processes', () => {
  test('reach the listeners of their topic in every other process, and not their sender', async () => {
    const [a, b, c] = [await open(), await open(), await open()]
    const elsewhere: unknown[] = []
    b.listen('replies', { onMessage: (message) => elsewhere.push(message) })
    a.send('jobs', { projectId: 'p', text: 'Zoë\u0000 “\uD800”' })
    a.send('replies', { projectId: 'q' })
    const message = { projectId: 'p', text: 'Zoë\u0000 “\uD800”' }
    await expect.poll(() => [b.received, c.received]).toEqual([[message], [message]])
    await expect.poll(() => elsewhere).toEqual([{ projectId: 'q' }])
    b.send('jobs', 'back')
    await expect.poll(() => a.received).toEqual(['back'])
  })

  test('that are equal and wait are sent once', async () => {
    const [a, b] = [await open(), await open()]
    for (let n = 0; n < 50; n += 1) a.send('jobs', 'the same')
    a.send('jobs', 'last')
    await expect.poll(() => b.received).toContain('last')
    expect(b.received.length).toBeLessThan(5)
  })

  test('that equal one on its way are sent again: that may have been read before', async () => {
    const [a, b] = [await open(), await open()]
    // The first one is sent at once.
    for (const _time of ['first', 'second', 'third']) a.send('jobs', 'the same')
    a.send('jobs', 'last')
    await expect.poll(() => b.received).toEqual(['the same', 'the same', 'last'])
  })

  test('beyond the bound are dropped, and every process is notified of a gap', async () => {
    const [a, b] = [await open(), await open()]
    for (let n = 0; n < 10_000; n += 1) a.send('jobs', n)
    await expect.poll(() => b.gaps).toContain('gap')
    a.send('jobs', 'last')
    await expect.poll(() => b.received).toContain('last')
    expect(b.received.length).toBeLessThan(2_500)
  })

  test('that PostgreSQL would refuse as too long are a gap, and the next ones arrive', async () => {
    const [a, b] = [await open(), await open()]
    a.send('jobs', 'x'.repeat(maxMessageBytes))
    await expect.poll(() => b.gaps).toEqual(['gap'])
    const longest = 'ü'.repeat(maxMessageBytes / 2 - 1)
    a.send('jobs', longest)
    await expect.poll(() => b.received).toEqual([longest])
  })

  test.each([
    ['is closed', async () => proxy.cut()],
    ['delivers nothing any more', async () => proxy.hold()],
    [
      'is ended by the server',
      // Only this one: a message that is sent before its receiver listens again is a gap for that one.
      () =>
        execute(
          url,
          `select pg_terminate_backend(pid) from pg_stat_activity where client_port = any('{${proxy.serverSidePorts().join()}}')`,
        ),
    ],
  ])(
    'over a connection that %s: both sides are notified of a gap, and later messages arrive',
    async (_fault, cause) => {
      const [a, b] = [await open(proxy.url, quickHeartbeat), await open()]
      await cause()
      a.send('jobs', 'while it was lost')
      await expect.poll(() => a.gaps.length > 0 || !a.isConnected()).toBe(true)
      proxy.release()
      await expect.poll(() => a.gaps.length).toBeGreaterThan(0)
      await expect.poll(() => b.gaps.length).toBeGreaterThan(0)
      await expect.poll(() => b.received).toContain('while it was lost')
      expect(a.counts()).toMatchObject({ sent: { jobs: 1 } })
      expect(a.counts().lostConnections).toBeGreaterThan(0)
      expect([a.counts().gaps, b.counts().gaps].every((count) => count > 0)).toBe(true)
      // The connection with the quick heartbeat may be lost again.
      await expect
        .poll(() => {
          b.send('jobs', 'after')
          return a.received
        })
        .toContain('after')
    },
  )

  test.each([
    ['nothing', 'all'],
    ['only what its own connection sends', 'those of others'],
  ] as const)(
    'are not connected through a pooler that accepts LISTEN and delivers %s',
    async (_delivered, dropped) => {
      proxy.dropNotifications(dropped)
      const a = start(proxy.url, quickHeartbeat)
      await expect.poll(() => proxy.connections(), { timeout: 5_000 }).toBeGreaterThan(2)
      expect(a.isConnected()).toBe(false)
    },
  )

  test('are delivered while the pool is busy, and the connection does not count as lost', async () => {
    const [a, b] = [await open(url, { ...quickPauses, heartbeatMs: 1_000 }), await open()]
    // Longer than the pool has a statement wait.
    const busy = sql`select pg_sleep(4.5)`.execute(a.pool)
    a.send('jobs', 'meanwhile')
    await expect.poll(() => b.received).toEqual(['meanwhile'])
    await busy
    expect(a.isConnected()).toBe(true)
    expect(a.counts()).toMatchObject({ gaps: 0, lostConnections: 0 })
  })

  test('leave the settings of their connections alone, which a pooler may give to others', async () => {
    const [a, b] = [await open(proxy.url), await open()]
    a.send('jobs', 1)
    await expect.poll(() => b.received).toEqual([1])
    expect(await proxy.show('synchronous_commit')).toBe('on')
    const { rows } = await sql`show synchronous_commit`.execute(a.pool)
    expect(rows).toEqual([{ synchronous_commit: 'on' }])
  })

  test('are sent by a process that cannot listen, within the same bound', async () => {
    proxy.refuse()
    const [a, b] = [start(proxy.url), await open()]
    a.send('jobs', 'first')
    await expect.poll(() => b.received).toEqual(['first'])
    for (let n = 0; n < 10_000; n += 1) a.send('jobs', n)
    await expect.poll(() => b.gaps).toContain('gap')
    a.send('jobs', 'last')
    await expect.poll(() => b.received).toContain('last')
    expect(b.received.length).toBeLessThan(2_500)
    expect(a.isConnected()).toBe(false)
  })

  test('of a process that cannot listen do not wait for the turn of the requester who causes them', async () => {
    proxy.refuse()
    const [a, b] = [start(proxy.url), await open()]
    let isBusy = true
    let busy: Promise<unknown> | undefined
    runFor(['acme', 'ana'], () => {
      busy = sql`select pg_sleep(1.5)`.execute(a.pool).finally(() => (isBusy = false))
      a.send('jobs', 'first')
    })
    await expect.poll(() => b.received).toEqual(['first'])
    expect(isBusy).toBe(true)
    await busy
  })

  test('of a process whose first attempt to connect fails are a gap for the others', async () => {
    proxy.refuse()
    const [a, b] = [start(proxy.url), await open()]
    await expect.poll(proxy.connections).toBeGreaterThan(1)
    expect(b.gaps).toEqual([])
    proxy.release()
    await expect.poll(a.isConnected).toBe(true)
    await expect.poll(() => b.gaps).toEqual(['gap'])
  })

  test('of another version of the service, and anything else on the channel, are ignored', async () => {
    const a = await open()
    const foreign = ['', '[', '{"from":"x","topic":"unknown"}', '{"topic":"jobs","message":1}']
    for (const payload of foreign) await execute(url, `notify assay_notifications, '${payload}'`)
    await execute(url, `notify assay_notifications, '{"from":"x","topic":"jobs","message":2}'`)
    await expect.poll(() => a.received).toEqual([2])
  })

  test('are counted by topic, without those of the connection itself', async () => {
    const [a, b] = [await open(), await open()]
    a.send('jobs', 1)
    a.send('jobs', 2)
    a.send('replies', 3)
    await expect.poll(() => b.counts().received).toEqual({ jobs: 2, replies: 1 })
    await expect.poll(() => a.counts().sent).toEqual({ jobs: 2, replies: 1 })
    expect(a.counts()).toMatchObject({ received: {}, gaps: 0, lostConnections: 0 })
    a.send('jobs', 'x'.repeat(maxMessageBytes))
    await expect.poll(() => [a, b].map((one) => one.counts().gaps)).toEqual([1, 1])
  })

  test('are sent before their process closes', async () => {
    const [a, b] = [await open(), await open()]
    a.send('jobs', 'last words')
    await a.close()
    await expect.poll(() => b.received).toEqual(['last words'])
  })

  test('reach the other listeners when one fails, and none that has left', async () => {
    const [a, b] = [await open(), await open()]
    const received: unknown[] = []
    b.listen('replies', {
      onMessage() {
        throw new Error('a faulty listener')
      },
    })
    const leave = b.listen('replies', { onMessage: (message) => received.push(message) })
    a.send('replies', 1)
    await expect.poll(() => received).toEqual([1])
    leave()
    a.send('replies', 2)
    a.send('jobs', 'after')
    await expect.poll(() => b.received).toEqual(['after'])
    expect(received).toEqual([1])
  })
})

/** With which PostgreSQL begins the message with the id of the process that serves a connection. */
const processIdHead = Buffer.from('K\0\0\0\u000c')

/** Passes connections on to the server of the address. */
async function openProxy(target: URL) {
  const sockets = new Set<Socket>()
  const upstreams = new Set<Socket>()
  let isHeld = false
  let isRefusing = false
  let dropped: 'none' | 'all' | 'those of others' = 'none'
  let count = 0
  const server: Server = createServer((client) => {
    count += 1
    if (isRefusing) return client.destroy()
    const upstream = connectTo(Number(target.port), target.hostname)
    upstreams.add(upstream)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        for (const other of [client, upstream]) other.destroy()
      })
    }
    client.on('data', (data) => !isHeld && upstream.write(data))
    let ownProcess: number | undefined
    const isDropped = (data: Buffer) => {
      const at = data.indexOf('assay_notifications\0')
      if (dropped === 'none' || at < 0) return isHeld
      return isHeld || dropped === 'all' || data.readInt32BE(at - 4) !== ownProcess
    }
    upstream.on('data', (data: Buffer) => {
      const at = data.indexOf(processIdHead)
      if (at >= 0) ownProcess ??= data.readInt32BE(at + processIdHead.length)
      if (!isDropped(data)) client.write(data)
    })
    return undefined
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: Object.assign(new URL(target), { port: String(port) }).href,
    connections: () => count,
    /** By which the server knows the open connections. */
    serverSidePorts: () =>
      [...upstreams].flatMap(({ destroyed, localPort }) => (destroyed ? [] : localPort)),
    cut,
    hold: () => {
      isHeld = true
    },
    refuse: () => {
      isRefusing = true
    },
    release: () => {
      isHeld = false
      isRefusing = false
    },
    dropNotifications: (which: 'all' | 'those of others') => {
      dropped = which
    },
    /** A setting of the open connection, as the next client of a pooler would find it. */
    async show(setting: string): Promise<string> {
      const upstream = [...upstreams].find(({ destroyed }) => !destroyed)
      if (upstream === undefined) throw new Error('no connection is open')
      isHeld = true
      const statement = Buffer.from(`Q\0\0\0\0show ${setting}\0`)
      statement.writeInt32BE(statement.length - 1, 1)
      upstream.write(statement)
      const [response] = (await once(upstream, 'data')) as [Buffer]
      isHeld = false
      // After the description of the row: its type, its length, one column, and the length of that.
      const row = response.subarray(1 + response.readInt32BE(1))
      return row.toString('utf8', 11, 11 + row.readInt32BE(7))
    },
    close() {
      cut()
      server.close()
    },
  }
}
