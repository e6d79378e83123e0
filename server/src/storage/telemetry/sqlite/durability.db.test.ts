import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { expect, inject, onTestFinished, test } from 'vitest'
import type { JsonText } from '../../../domain/json-text.ts'
import { computeTotals } from '../../../domain/trace-totals.ts'
import { Unavailable } from '../../../platform/failure.ts'
import { openLog } from '../../../platform/log.ts'
import { openTelemetry } from '../engines.ts'
import { body, labels, readSpans, span } from '../port/samples.ts'
import { log } from '../port/signal-samples.ts'
import type { TelemetryStore } from '../port/store.ts'
import type { StoredSpan } from '../port/traces.ts'
import { folderOfTest, openIn, storeOfTest } from './test-store.ts'

const projectId = 'project'

const one = (store: TelemetryStore, spanId: string, input = 'null') =>
  store.record({
    projectId,
    source: 'json',
    spans: store.encode([span(spanId, { body: { ...body, input: input as JsonText } })]),
  })

const listSpans = (store: TelemetryStore, traceId = 'trace') => readSpans(store, projectId, traceId)

test('recorded data is there after reopening, and closing leaves no side files', async () => {
  const folder = folderOfTest()
  const first = await openIn(folder)
  const idempotency = { key: 'key', note: 'note' }
  const spans = [span('a', { costUsd: 1 }), span('b', { traceId: 'other' })]
  const traceLabels = labels({ rootName: 'kept' })
  await first.record({ projectId, source: 'otlp', spans: first.encode(spans), idempotency })
  await first.record({
    projectId,
    source: 'json',
    spans: first.encode([span('c')]),
    labels: traceLabels,
  })
  const trace = await first.findTrace(projectId, 'trace')
  await first.close()
  expect(existsSync(join(folder, 'telemetry.sqlite-wal'))).toBe(false)

  const second = await storeOfTest(folder)
  expect(await second.findTrace(projectId, 'trace')).toEqual(trace)
  const again = {
    projectId,
    source: 'json' as const,
    spans: second.encode([span('x')]),
    idempotency,
  }
  expect(await second.record(again)).toMatchObject({ repeated: true, note: 'note' })
  await one(second, 'd')
  expect((await listSpans(second)).map(({ spanId }) => spanId)).toEqual(['a', 'c', 'd'])
  expect((await listSpans(second, 'other')).map(({ spanId }) => spanId)).toEqual(['b'])
  const { updatedAt: _, ...before } = trace!
  expect(await second.findTrace(projectId, 'trace')).toMatchObject({ ...before, spanCount: 3 })
})

test('a process killed under load loses nothing that it has acknowledged', {
  timeout: 60_000,
}, async () => {
  const folder = folderOfTest()
  const recordedIds: string[] = []
  for (let kill = 0; kill < (inject('isLong') ? 3 : 2); kill += 1) {
    const killAfter = recordedIds.length + 200 + kill * 111
    const script = join(import.meta.dirname, 'record-until-killed.ts')
    const child = spawn(process.execPath, [script, folder, `run${kill}`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const ended = once(child, 'exit')
    for await (const line of createInterface({ input: child.stdout })) {
      recordedIds.push(line)
      if (recordedIds.length === killAfter) child.kill('SIGKILL')
    }
    expect(await ended).toEqual([null, 'SIGKILL'])
  }
  const store = await storeOfTest(folder)
  const found = new Set<string>()
  const { traces, total } = await store.listTraces(projectId, { limit: 100, filters: {} })
  expect(traces.length).toBe(total)
  for (const trace of traces) {
    const spans = await listSpans(store, trace.traceId)
    for (const { spanId } of spans) found.add(spanId)
    expect(trace).toMatchObject(computeTotals(spans.map(fromOtlp), null))
  }
  expect(recordedIds.filter((spanId) => !found.has(spanId))).toEqual([])
  // Batches are stored whole or not at all: spans come in pairs.
  expect([...found].filter((id) => id.endsWith('-a')).length).toBe(
    [...found].filter((id) => id.endsWith('-b')).length,
  )
  await one(store, 'continues')
})

test('while another program locks the file, writes reject as unavailable and reads continue', async () => {
  const folder = folderOfTest()
  const store = await storeOfTest(folder)
  await one(store, 'before')
  const other = new DatabaseSync(join(folder, 'telemetry.sqlite'), { timeout: 10_000 })
  other.exec('BEGIN IMMEDIATE')
  const refused = one(store, 'meanwhile')
  await expect(refused).rejects.toThrow(Unavailable)
  await expect(refused).rejects.toMatchObject({ retryAfterSeconds: 1 })
  expect((await listSpans(store)).length).toBe(1)
  other.exec('ROLLBACK')
  other.close()
  await one(store, 'after')
  expect((await listSpans(store)).map(({ spanId }) => spanId)).toEqual(['after', 'before'])
})

test('while the writer hangs, the store is not healthy and refuses new writes; what waits ends, and writes succeed afterwards', async () => {
  const folder = folderOfTest()
  const store = await openTelemetry({
    ...{ engine: 'sqlite', dataDir: folder, writerHangingAfterMs: 50 },
    log: openLog('error', () => {}),
    onFatal(error) {
      throw error
    },
  })
  onTestFinished(() => store.close())
  await one(store, 'before')
  const other = new DatabaseSync(join(folder, 'telemetry.sqlite'))
  const stored = ['after', 'before']
  let isLocked = true
  // One after the other: SQLite waits for the lock for a second only, and the test may be late on a busy machine.
  const write = async () => {
    for (let n = 0; isLocked; n += 1) {
      await one(store, `waiting ${n}`).then(
        () => stored.push(`waiting ${n}`),
        (error: unknown) => expect(error).toBeInstanceOf(Unavailable),
      )
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  other.exec('BEGIN IMMEDIATE')
  const writing = write()
  await expect.poll(() => store.probe(), { interval: 5 }).toBe(false)
  const refused = [
    one(store, 'refused'),
    store.recordLogs(projectId, store.encodeLogs([log('refused')])),
    store.changeTags(projectId, ['trace'], { added: ['refused'], removed: [] }),
  ]
  for (const each of await Promise.allSettled(refused)) {
    expect(each).toMatchObject({ status: 'rejected', reason: { retryAfterSeconds: 5 } })
  }
  isLocked = false
  other.exec('ROLLBACK')
  other.close()
  await writing
  await expect.poll(() => store.probe()).toBe(true)
  await one(store, 'after')
  const found = (await listSpans(store)).map(({ spanId }) => spanId)
  expect(found.toSorted()).toEqual(stored.toSorted())
  expect(await store.findTrace(projectId, 'trace')).toMatchObject({ tags: [] })
  const logs = await store.listLogs(projectId, { limit: 9, scanLimit: 9, filters: {} })
  expect(logs.logs).toEqual([])
})

test('on a full disk, writes reject and reads continue; with space again, writes succeed (only as root)', async (context) => {
  const folder = folderOfTest()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    context.skip('only root may make a small disk')
  }
  onTestFinished(() => void execFileSync('umount', [folder]))
  const filler = join(folder, 'filler')
  writeFileSync(filler, Buffer.alloc(6 * 1024 * 1024))

  const store = await storeOfTest(folder)
  const input = () => JSON.stringify(randomBytes(150_000).toString('base64'))
  const recordedIds: string[] = []
  let refusal: unknown
  for (let i = 0; refusal === undefined && i < 100; i += 1) {
    await one(store, `span ${i}`, input()).then(
      () => recordedIds.push(`span ${i}`),
      (error: unknown) => {
        refusal = error
      },
    )
  }
  expect(refusal).toBeInstanceOf(Unavailable)
  expect(refusal).toMatchObject({ message: expect.stringContaining('full') })
  expect((await listSpans(store)).map(({ spanId }) => spanId).toSorted()).toEqual(
    recordedIds.toSorted(),
  )

  rmSync(filler)
  await one(store, 'with space', input())
  expect(await store.findTrace(projectId, 'trace')).toMatchObject({
    spanCount: recordedIds.length + 1,
  })
})

function fromOtlp(each: StoredSpan) {
  return { ...each, source: 'otlp' as const }
}
