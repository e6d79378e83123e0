import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { readTrace } from '@assay/contract/traces.ts'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { chatSuite } from '../../../test/chat-suite.ts'
import type { TraceLabels } from '../../domain/span.ts'
import { openLog } from '../../platform/log.ts'
import { span } from '../../storage/telemetry/port/samples.ts'
import { openTurnTraces, type TurnTraceLimits } from './turn-traces.ts'

/*
 * Traces of turns that end while another program locks the file of the store.
 */

describe.skipIf(inject('isScaled'))('while the telemetry store is unavailable', () => {
  const { service, ana, turn } = chatSuite({ pieces: ['Yes.'] })
  const hourMs = 3_600_000
  let lines: string[]
  let other: DatabaseSync | undefined

  beforeEach(() => {
    lines = []
    other = new DatabaseSync(join(service.dataDir, 'telemetry.sqlite'), { timeout: 10_000 })
    other.exec('BEGIN IMMEDIATE')
  })
  afterEach(unlock)

  function unlock() {
    other?.close()
    other = undefined
  }

  function open(limits: Partial<TurnTraceLimits>) {
    const log = openLog('error', (line) => lines.push(line))
    const { accounts, telemetry } = service
    return openTurnTraces({ accounts, telemetry, log }, { lastAttemptMs: 10_000, ...limits })
  }

  function trace(traceId: string) {
    const { organizationId, projectId, userId } = ana
    const labels: TraceLabels = {
      ...{ rootName: 'chat', environment: null, mode: 'live', tags: [] },
      ...{ sessionId: null, userId },
    }
    const spans = service.telemetry.encode([span('a', { traceId })])
    return { organizationId, projectId, userId, labels, spans }
  }

  const find = (traceId: string) => service.telemetry.findTrace(ana.projectId, traceId)

  test('a turn ends all the same, and its trace is stored when the store is available again', async () => {
    const { events, trace_id: traceId } = await turn()
    expect(events.at(-1)).toMatchObject({ type: 'done' })
    const read = () =>
      service.call(readTrace, { params: { projectId: ana.projectId, traceId } }, ana.as)
    expect((await read()).status).toBe(404)
    unlock()
    await expect.poll(async () => (await read()).status, { timeout: 30_000 }).toBe(200)
  })

  test('a trace is given up after the last attempt, with one line in the log', async () => {
    const traces = open({ pausesMs: [1, 1] })
    await traces.record(trace('given-up'))
    await expect.poll(() => lines.length, { timeout: 30_000 }).toBe(1)
    expect(lines[0]).toContain('a turn of a conversation could not be recorded')
    expect(lines[0]).toContain(ana.projectId)
    unlock()
    await traces.stop()
    expect(await find('given-up')).toBeUndefined()
  })

  test('a stop attempts to store a waiting trace at once', async () => {
    const traces = open({ pausesMs: [hourMs, hourMs] })
    await traces.record(trace('last-attempt'))
    unlock()
    await traces.stop()
    expect(await find('last-attempt')).toMatchObject({ rootName: 'chat', spanCount: 1 })
    expect(lines).toEqual([])
  })

  test('a stop logs what its last attempt could not store', async () => {
    const traces = open({ pausesMs: [hourMs, hourMs] })
    await traces.record(trace('stopped'))
    await traces.stop()
    expect(lines.length).toBe(1)
  })

  test('no more traces wait than fit', async () => {
    const traces = open({ pausesMs: [hourMs], waitingBytes: 20_000 })
    await traces.record(trace('fits'))
    await expect(traces.record(trace('too-much'))).rejects.toThrow(/locked/)
    unlock()
    await traces.stop()
    expect([(await find('fits'))?.spanCount, await find('too-much')]).toEqual([1, undefined])
  })

  test('nothing is stored of a project that is removed meanwhile', async () => {
    const traces = open({ pausesMs: [hourMs] })
    const waiting = trace('removed')
    await traces.record(waiting)
    await service.accounts.projects.remove(ana.projectId, ana.project.project)
    unlock()
    await traces.stop()
    expect(await find('removed')).toBeUndefined()
    expect(lines).toEqual([])
  })
})
