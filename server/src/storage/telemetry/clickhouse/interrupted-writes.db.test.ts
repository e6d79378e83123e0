import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { hasClickHouseEngine } from '../../../../test/clickhouse/engine.ts'
import { useGatedEngine } from '../../../../test/clickhouse/gated-engine.ts'
import { Unavailable } from '../../../platform/failure.ts'
import { labels, readSpans, span, start, storeHelpers } from '../port/samples.ts'
import { score } from '../port/score-samples.ts'
import { contentLog, measurement } from '../port/signal-samples.ts'
import type { TelemetryStore } from '../port/store.ts'
import { openConnection } from './connection.ts'

/*
 * Writes that end between two of their statements, because the connection or the process ends, and writes of several
 * processes between each other's statements.
 */

describe.runIf(hasClickHouseEngine())(
  'interrupted writes in the ClickHouse engine (only where chdb is installed)',
  { timeout: 120_000 },
  () => {
    const clickHouse = useGatedEngine('PostgreSQL')
    /** Its statements pass the gate; it checks what is stored when it is opened, and not again. */
    let store: TelemetryStore
    const never = 2 ** 31 - 1
    beforeAll(async () => {
      store = await clickHouse.openStore({ repairIntervalMs: never })
    })
    afterAll(() => store.close())
    const { record, everyTrace } = storeHelpers(() => store)
    const openAnother = async (repairIntervalMs = never) => {
      const another = await clickHouse.openStore({ url: clickHouse.engine.url, repairIntervalMs })
      onTestFinished(() => another.close())
      return another
    }
    const untilRepaired = async (check: () => Promise<void>) =>
      await vi.waitFor(check, { timeout: 60_000, interval: 100 })
    /** Runs a write whose connection is lost at a statement. */
    const interruptAt = async (text: string, write: () => Promise<unknown>) => {
      clickHouse.gate.cut(text)
      await expect(write()).rejects.toBeInstanceOf(Unavailable)
      clickHouse.gate.cut(undefined)
    }

    const query = async (statement: string) => {
      const connection = openConnection({ url: clickHouse.engine.url, database: 'assay' })
      const rows = await connection.rows(statement, {})
      await connection.close()
      return rows
    }
    /** The tables that have rows of a project. */
    const rowsLeft = async (projectId: string) => {
      const tables = ['logs', 'span_contents', 'scores', 'spans', 'trace_labels', 'trace_feed']
      const parts = [...tables, 'traces'].map(
        (table) => `SELECT '${table}' FROM ${table} WHERE project_id = '${projectId}'`,
      )
      return await query(parts.join(' UNION ALL '))
    }
    /** As OTLP has it. */
    const recordWithoutLabels = async (to: TelemetryStore, projectId: string) =>
      await to.record({ projectId, source: 'otlp', spans: to.encode([span('again')]) })
    const tagsOf = async (projectId: string) => (await store.findTrace(projectId, 'trace'))?.tags
    const scoresOf = async (projectId: string) =>
      (await store.listScores(projectId, 'trace', { limit: 9 })).scores.map(({ id }) => id)

    describe('another process repairs', () => {
      test('a new trace whose row was not stored after its spans', async () => {
        const projectId = randomUUID()
        await interruptAt('INSERT INTO traces', () =>
          record(projectId, [span('a'), span('b')], { labels: labels({ tags: ['t'] }) }),
        )
        expect(await store.findTrace(projectId, 'trace')).toBeUndefined()
        const another = await openAnother()
        await untilRepaired(async () => {
          expect(await another.findTrace(projectId, 'trace')).toMatchObject({
            ...{ spanCount: 2, tags: ['t'] },
          })
        })
        expect((await everyTrace(projectId)).map(({ traceId }) => traceId)).toEqual(['trace'])
      })

      test('a trace that grew, while it runs, and notifies its watchers', async () => {
        const projectId = randomUUID()
        const another = await openAnother(100)
        await record(projectId, [span('a')])
        await interruptAt('INSERT INTO traces', () => record(projectId, [span('b')]))
        const changed: string[] = []
        another.watchChanges(projectId, ({ traceIds }) => changed.push(...(traceIds ?? [])))
        await interruptAt('INSERT INTO traces', () => record(projectId, [span('c')]))
        await untilRepaired(async () => {
          expect((await another.findTrace(projectId, 'trace'))?.spanCount).toBe(3)
        })
        await untilRepaired(async () => expect(changed).toContain('trace'))
      })

      test('the totals of spans that were re-priced', async () => {
        const projectId = randomUUID()
        await record(projectId, [span('a', { model: 'm', tokensIn: 1, kind: 'llm' })])
        const range = { from: 0n, to: 2n ** 62n }
        const { spans } = await store.listPriceable(projectId, { range, limit: 9 })
        const price = { computedCostUsd: 3, priceSource: 's', priceDate: 'd', unpricedReason: null }
        const prices = spans.map(({ traceId, spanId, version }) => ({
          ...{ traceId, spanId, version, price },
        }))
        await interruptAt('INSERT INTO traces', () => store.reprice(projectId, prices))
        expect((await store.findTrace(projectId, 'trace'))?.costUsd).toBeNull()
        const another = await openAnother()
        await untilRepaired(async () => {
          expect((await another.findTrace(projectId, 'trace'))?.costUsd).toBe(3)
        })
      })
    })

    test('a repeated call that re-prices also computes the traces that the interrupted one changed', async () => {
      const projectId = randomUUID()
      const traceIds = ['1', '2']
      for (const traceId of traceIds) {
        const spans = Array.from({ length: 200 }, (_, n) =>
          span(`${n}`, { traceId, model: 'm', tokensIn: 1, kind: 'llm' }),
        )
        await record(projectId, spans)
      }
      const range = { from: 0n, to: 2n ** 62n }
      const { spans } = await store.listPriceable(projectId, { range, limit: 400 })
      const price = { computedCostUsd: 3, priceSource: 's', priceDate: 'd', unpricedReason: null }
      const prices = spans.map(({ traceId, spanId, version }) => ({
        ...{ traceId, spanId, version, price },
      }))
      const text = 'version + 1 AS version'
      const held = clickHouse.gate.hold(text)
      const pricing = store.reprice(projectId, prices)
      await held.reached
      clickHouse.gate.cut(text)
      held.release()
      await expect(pricing).rejects.toBeInstanceOf(Unavailable)
      clickHouse.gate.cut(undefined)
      await vi.waitUntil(() => store.probe(), { timeout: 15_000 })
      expect(await store.reprice(projectId, prices)).toHaveLength(200)
      const read = () => Promise.all(traceIds.map((id) => store.findTrace(projectId, id)))
      const before = await read()
      expect(before.map((trace) => trace?.costUsd)).toEqual([600, 600])
      expect(await store.reprice(projectId, prices)).toEqual([])
      expect(await read()).toEqual(before)
    })

    test('a row that is stored too late for those who list settled traces is stored again, and settles later', async () => {
      const projectId = randomUUID()
      const holds = [1, 2, 3].map(() => clickHouse.gate.hold('INSERT INTO traces'))
      const recording = record(projectId, [span('a')])
      let storedAt = 0
      for (const { reached, release } of holds) {
        await Promise.race([reached, recording])
        await sleep(2200)
        storedAt = Date.now()
        release()
      }
      expect((await recording).traces).toHaveLength(1)
      const [[settlesAt] = []] = await query(
        `SELECT settles_at FROM traces FINAL WHERE project_id = '${projectId}'`,
      )
      const settlesMs = Number(settlesAt) / 1e6
      expect(settlesMs + store.listedWithinMs()).toBeGreaterThan(storedAt)
      const until = BigInt(storedAt) * 1_000_000n
      const settled = { filters: {}, receivedSince: 0n, scanLimit: 9, countLimit: 9, until }
      expect((await store.listSettledTraces(projectId, settled)).traces).toEqual([])
    })

    describe('a trace that is removed while it is recorded', () => {
      test('makes its JSON batches fail, and no other batch', async () => {
        const projectId = randomUUID()
        await record(projectId, [span('a')])
        const held = clickHouse.gate.hold('LIMIT 1 BY project_id, trace_id, span_id')
        const outcomes = Promise.allSettled([
          record(projectId, [span('b')]),
          record(projectId, [span('b')], { source: 'otlp' }),
          record(projectId, [span('c', { traceId: 'other' })]),
        ])
        await held.reached
        const another = await openAnother()
        expect(await another.removeTrace(projectId, 'trace')).toBe(true)
        held.release()
        const [json, otlp, other] = await outcomes
        expect(json).toMatchObject({ status: 'rejected', reason: { name: 'Unavailable' } })
        expect(otlp).toMatchObject({ status: 'fulfilled', value: { traces: [] } })
        expect(other).toMatchObject({ value: { traces: [{ traceId: 'other' }] } })
        await record(projectId, [span('b')])
        expect((await store.findTrace(projectId, 'trace'))?.spanCount).toBe(1)
      })

      /** The row of the trace is stored after another process has removed all of it. */
      const recordBesideRemoval = async (projectId: string) => {
        await record(projectId, [span('a')])
        const held = clickHouse.gate.hold('INSERT INTO traces')
        const recording = record(projectId, [span('b')])
        await held.reached
        const another = await openAnother()
        expect(await another.removeTrace(projectId, 'trace')).toBe(true)
        held.release()
        await recording
      }

      test('does not stay in lists without spans', async () => {
        const projectId = randomUUID()
        await recordBesideRemoval(projectId)
        expect((await store.findTrace(projectId, 'trace'))?.spanCount).toBe(2)
        const another = await openAnother()
        await untilRepaired(async () => {
          expect(await another.findTrace(projectId, 'trace')).toBeUndefined()
        })
        expect(await everyTrace(projectId)).toEqual([])
      })

      test('has only the spans that are recorded afterwards', async () => {
        const projectId = randomUUID()
        await recordBesideRemoval(projectId)
        await record(projectId, [span('c')])
        const another = await openAnother()
        await untilRepaired(async () => {
          expect((await another.findTrace(projectId, 'trace'))?.spanCount).toBe(1)
        })
        expect((await readSpans(store, projectId, 'trace')).map(({ spanId }) => spanId)).toEqual([
          'c',
        ])
      })
    })

    describe('a removal', () => {
      const removals = [
        ['of a trace', (projectId: string) => store.removeTrace(projectId, 'trace')],
        ['by age', (projectId: string) => store.removeOldTraces(projectId, start + 1n)],
      ] as const
      const statements = [
        ...['logs', 'span_contents', 'scores', 'trace_labels', 'spans', 'traces', 'trace_feed'].map(
          (table) => `DELETE FROM ${table}`,
        ),
        'INSERT INTO trace_feed',
      ]
      const situations = removals.flatMap(([name, remove]) =>
        statements.map((text) => ({ name, remove, text })),
      )
      const fill = async (projectId: string) => {
        await record(projectId, [span('a', { model: 'm' }), span('b')], {
          labels: labels({ tags: ['old'], userId: 'ana' }),
        })
        await store.recordScores(projectId, [score('s')])
        const logs = [contentLog('a', 'question', 'answer', { traceId: 'trace' })]
        await store.recordLogs(projectId, store.encodeLogs(logs))
      }

      test.each(situations)(
        '$name that was interrupted at $text completes when it is repeated',
        async ({ remove, text }) => {
          const projectId = randomUUID()
          await fill(projectId)
          await interruptAt(text, () => remove(projectId))
          await remove(projectId)
          expect(await rowsLeft(projectId)).toEqual([])
          await recordWithoutLabels(store, projectId)
          expect(await everyTrace(projectId)).toMatchObject([
            { spanCount: 1, tags: [], userId: null },
          ])
        },
      )

      const repairs = removals.flatMap(([name, remove]) => [
        { name, remove, text: 'DELETE FROM spans', repaired: { tags: [] } },
        { name, remove, text: 'DELETE FROM traces', repaired: undefined },
      ])
      test.each(repairs)(
        '$name that was interrupted at $text completes when its part was repaired meanwhile',
        async ({ remove, text, repaired }) => {
          const projectId = randomUUID()
          await fill(projectId)
          await interruptAt(text, () => remove(projectId))
          const another = await openAnother()
          await untilRepaired(async () => {
            const trace = await another.findTrace(projectId, 'trace')
            expect(trace && { tags: trace.tags }).toEqual(repaired)
          })
          await remove(projectId)
          expect(await rowsLeft(projectId)).toEqual([])
        },
      )

      const changes = [
        {
          what: 'tag',
          change: async (to: TelemetryStore, projectId: string) =>
            await to.changeTags(projectId, ['trace'], { added: ['mine'], removed: [] }),
        },
        {
          what: 'score',
          change: async (to: TelemetryStore, projectId: string) =>
            await to.recordScores(projectId, [score('mine')]),
        },
      ]
      test.each(changes)(
        'removes a $what that is added before the spans are removed',
        async ({ change }) => {
          const projectId = randomUUID()
          await fill(projectId)
          const held = clickHouse.gate.hold('DELETE FROM spans')
          const removing = store.removeTrace(projectId, 'trace')
          await held.reached
          await change(await openAnother(), projectId)
          held.release()
          await removing
          expect(await rowsLeft(projectId)).toEqual([])
        },
      )

      test('refuses a score that is stored after its trace was removed', async () => {
        const projectId = randomUUID()
        await fill(projectId)
        const held = clickHouse.gate.hold('INSERT INTO scores')
        const scoring = store.recordScores(projectId, [score('late')])
        await held.reached
        await (await openAnother()).removeTrace(projectId, 'trace')
        held.release()
        expect(await scoring).toEqual({ missingTraceIds: ['trace'], fullTraceIds: [] })
        expect(await rowsLeft(projectId)).toEqual([])
      })

      test.each(removals)(
        '%s leaves a trace listed that is recorded meanwhile',
        async (_, remove) => {
          const projectId = randomUUID()
          await record(projectId, [span('a')])
          const held = clickHouse.gate.hold('DELETE FROM trace_feed')
          const removing = remove(projectId)
          await held.reached
          await recordWithoutLabels(await openAnother(), projectId)
          held.release()
          await removing
          expect((await everyTrace(projectId)).map(({ spanCount }) => spanCount)).toEqual([1])
        },
      )
    })

    describe('scores and tags of a trace', () => {
      test.each([
        [
          'moved',
          (other: TelemetryStore, from: string) => other.moveTraces(randomUUID(), from, ['trace']),
        ],
        ['removed', (other: TelemetryStore, from: string) => other.removeTrace(from, 'trace')],
      ])(
        'that was %s before they are stored are reported as missing, and do not come back',
        async (_how, change) => {
          const from = randomUUID()
          await record(from, [span('a')])
          const another = await openAnother()
          const held = ['INSERT INTO scores', 'INSERT INTO trace_labels'].map(clickHouse.gate.hold)
          const scoring = store.recordScores(from, [score('s')])
          const tagging = store.changeTags(from, ['trace'], { added: ['t'], removed: [] })
          for (const { reached } of held) await reached
          await change(another, from)
          for (const { release } of held) release()
          expect((await scoring).missingTraceIds).toEqual(['trace'])
          expect(await tagging).toEqual([])
          await record(from, [span('b')])
          expect(await scoresOf(from)).toEqual([])
          expect(await tagsOf(from)).toEqual([])
        },
      )
    })

    test('a series keeps a point that arrives while series without points are removed', async () => {
      const projectId = randomUUID()
      await store.recordMetrics(projectId, store.encodeMetrics([measurement()]))
      const held = clickHouse.gate.hold('DELETE FROM metric_series')
      const removing = store.removeOldSignals(projectId, start + 1n)
      await held.reached
      const another = await openAnother()
      const points = another.encodeMetrics([measurement({ at: start + 1n })])
      await another.recordMetrics(projectId, points)
      held.release()
      await removing
      const { metrics } = await store.listMetrics(projectId, { limit: 9 })
      expect(metrics).toMatchObject([{ lastSeenAt: start + 1n }])
    })

    describe('a move', () => {
      const tables = ['logs', 'span_contents', 'scores', 'spans', 'trace_labels', 'traces']
      test.each([
        ...tables.filter((table) => table !== 'traces').map((table) => `INSERT INTO ${table}`),
        'INSERT INTO traces',
        ...tables.map((table) => `DELETE FROM ${table}`),
      ])('that was interrupted at %s completes when it is repeated', async (text) => {
        const [from, to] = [randomUUID(), randomUUID()]
        await record(from, [span('a', { model: 'm' }), span('b')], {
          labels: labels({ tags: ['t'] }),
        })
        await store.recordScores(from, [score('s')])
        const logs = [contentLog('a', 'question', 'answer', { traceId: 'trace' })]
        await store.recordLogs(from, store.encodeLogs(logs))
        const before = await store.findTrace(from, 'trace')
        await interruptAt(text, () => store.moveTraces(to, from, ['trace']))
        expect(await store.moveTraces(to, from, ['trace'])).toEqual(['adopted'])
        expect(await store.findTrace(from, 'trace')).toBeUndefined()
        expect(await readSpans(store, from, 'trace')).toEqual([])
        const after = await store.findTrace(to, 'trace')
        expect(after).toEqual({ ...before, projectId: to, updatedAt: after?.updatedAt })
        expect((await store.listScores(to, 'trace', { limit: 9 })).scores).toHaveLength(1)
        expect(await store.moveTraces(to, from, ['trace'])).toEqual(['exists'])
      })

      test('that was interrupted completes when its part was repaired meanwhile', async () => {
        const [from, to] = [randomUUID(), randomUUID()]
        await record(from, [span('a')])
        await interruptAt('INSERT INTO traces', () => store.moveTraces(to, from, ['trace']))
        const another = await openAnother()
        await untilRepaired(async () => {
          expect((await another.findTrace(to, 'trace'))?.spanCount).toBe(1)
        })
        expect(await store.moveTraces(to, from, ['trace'])).toEqual(['adopted'])
        expect(await store.findTrace(from, 'trace')).toBeUndefined()
      })

      test('of several traces that was interrupted completes when it is repeated', async () => {
        const [from, to] = [randomUUID(), randomUUID()]
        const ids = ['1', '2', '3']
        await record(
          from,
          ids.map((traceId) => span('a', { traceId })),
        )
        await interruptAt('DELETE FROM spans', () => store.moveTraces(to, from, ids.slice(0, 2)))
        expect(await store.moveTraces(to, from, ids)).toEqual(ids.map(() => 'adopted'))
        expect(await everyTrace(from)).toEqual([])
        expect((await everyTrace(to)).map(({ spanCount }) => spanCount)).toEqual([1, 1, 1])
      })

      test('of several traces keeps what arrives meanwhile for one of them', async () => {
        const [from, to] = [randomUUID(), randomUUID()]
        // Trace and span together are the same text.
        await record(from, [span('1a', { traceId: '1' }), span('a', { traceId: '11' })])
        const held = clickHouse.gate.hold('DELETE FROM spans')
        const moving = store.moveTraces(to, from, ['1', '11'])
        await held.reached
        const another = await openAnother()
        const recording = { projectId: from, source: 'otlp' as const }
        const late = another.encode([span('1a', { traceId: '1', name: 'again' })])
        await another.record({ ...recording, spans: late })
        held.release()
        expect(await moving).toEqual(['adopted', 'adopted'])
        expect((await everyTrace(from)).map(({ traceId }) => traceId)).toEqual(['1'])
        expect((await readSpans(store, from, '1')).map(({ name }) => name)).toEqual(['again'])
        expect(await readSpans(store, from, '11')).toEqual([])
        expect((await everyTrace(to)).map(({ traceId }) => traceId)).toEqual(['11', '1'])
      })

      test('keeps spans that arrive meanwhile in the project that they were sent to', async () => {
        const [from, to] = [randomUUID(), randomUUID()]
        await record(from, [span('a')])
        const held = clickHouse.gate.hold('DELETE FROM spans')
        const moving = store.moveTraces(to, from, ['trace'])
        await held.reached
        const another = await openAnother()
        const recording = { projectId: from, source: 'otlp' as const }
        await another.record({ ...recording, spans: another.encode([span('late')]) })
        held.release()
        expect(await moving).toEqual(['adopted'])
        expect((await store.findTrace(to, 'trace'))?.spanCount).toBe(1)
        expect((await store.findTrace(from, 'trace'))?.spanCount).toBe(1)
        const [late] = await readSpans(store, from, 'trace')
        expect(late?.spanId).toBe('late')
      })

      /** Moves a trace, which is scored and tagged before the move reaches a statement. */
      const moveBesideAdditions = async (before: string, thenCut?: string) => {
        const [from, to] = [randomUUID(), randomUUID()]
        await record(from, [span('a')], { labels: labels({ tags: ['t'] }) })
        const held = clickHouse.gate.hold(before)
        const moving = store.moveTraces(to, from, ['trace']).catch((error: unknown) => error)
        await held.reached
        expect((await store.recordScores(from, [score('s')])).missingTraceIds).toEqual([])
        const changes = { added: ['added'], removed: ['t'] }
        expect(await store.changeTags(from, ['trace'], changes)).toEqual(['trace'])
        clickHouse.gate.cut(thenCut)
        held.release()
        const outcome = await moving
        clickHouse.gate.cut(undefined)
        await vi.waitUntil(() => store.probe(), { timeout: 15_000 })
        return { from, to, outcome }
      }

      test.each([
        'INSERT INTO traces',
        'DELETE FROM trace_labels',
        'DELETE FROM spans',
        'DELETE FROM traces',
      ])('takes along scores and tags that were acknowledged before %s', async (statement) => {
        const { from, to, outcome } = await moveBesideAdditions(statement)
        expect(outcome).toEqual(['adopted'])
        expect(await scoresOf(to)).toEqual(['s'])
        expect(await tagsOf(to)).toEqual(['added'])
        expect(await store.findTrace(from, 'trace')).toBeUndefined()
        await record(from, [span('b')])
        expect(await scoresOf(from)).toEqual([])
        expect(await tagsOf(from)).toEqual([])
      })

      test.each(['INSERT INTO trace_labels', 'INSERT INTO traces', 'DELETE FROM trace_labels'])(
        'that was interrupted at %s, with scores and tags that were acknowledged meanwhile, completes when another process repeats it',
        async (statement) => {
          const { from, to, outcome } = await moveBesideAdditions('DELETE FROM traces', statement)
          expect(outcome).toBeInstanceOf(Unavailable)
          const another = await openAnother()
          expect(await another.findTrace(from, 'trace')).toBeUndefined()
          expect(await another.moveTraces(to, from, ['trace'])).toEqual(['adopted'])
          expect(await scoresOf(to)).toEqual(['s'])
          expect(await tagsOf(to)).toEqual(['added'])
          expect(await another.moveTraces(to, from, ['trace'])).toEqual(['exists'])
        },
      )

      test('that another process completes meanwhile does not hide the trace', async () => {
        const [from, to] = [randomUUID(), randomUUID()]
        await record(from, [span('a')])
        const text = 'FROM traces FINAL WHERE'
        const firstRead = clickHouse.gate.hold(text)
        const moving = store.moveTraces(to, from, ['trace'])
        await firstRead.reached
        const secondRead = clickHouse.gate.hold(text)
        firstRead.release()
        await secondRead.reached
        const another = await openAnother()
        expect(await another.moveTraces(to, from, ['trace'])).toEqual(['adopted'])
        secondRead.release()
        expect(await moving).not.toEqual(['not_found'])
        expect(await store.findTrace(from, 'trace')).toBeUndefined()
        expect((await store.findTrace(to, 'trace'))?.spanCount).toBe(1)
        expect((await readSpans(store, to, 'trace')).map(({ spanId }) => spanId)).toEqual(['a'])
      })

      test('leaves both traces when each project has received one', async () => {
        const [from, to] = [randomUUID(), randomUUID()]
        await record(from, [span('a')])
        await record(to, [span('a')])
        expect(await store.moveTraces(to, from, ['trace'])).toEqual(['exists'])
        expect((await store.findTrace(from, 'trace'))?.spanCount).toBe(1)
        expect((await store.findTrace(to, 'trace'))?.spanCount).toBe(1)
      })
    })
  },
)
