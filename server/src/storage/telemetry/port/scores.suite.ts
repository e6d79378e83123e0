import { randomUUID } from 'node:crypto'
import { limits } from '@assay/contract/limits.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { compareIds } from '../../../domain/id-order.ts'
import type { Score } from '../../../domain/score.ts'
import { type OpenStore, span, start, watchIds } from './samples.ts'
import { allOfPerson, score } from './score-samples.ts'
import type { TelemetryStore } from './store.ts'

/*
 * What scores.ts promises, as tests.
 */

export function describeScores(open: OpenStore): void {
  describe('scores', () => {
    let store: TelemetryStore
    let projectId: string
    let other: string
    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store.close())
    beforeEach(() => {
      projectId = randomUUID()
      other = randomUUID()
    })

    const recordTraces = (of: string, ...traceIds: readonly string[]) =>
      store.record({
        projectId: of,
        source: 'json',
        spans: store.encode(
          traceIds.map((traceId, i) => span('a', { traceId, startedAt: start + BigInt(i) })),
        ),
      })
    const scoresOf = async (of: string, traceId = 'trace', limit = 1000) =>
      (await store.listScores(of, traceId, { limit })).scores
    const idsOf = async (of: string, traceId = 'trace') =>
      (await scoresOf(of, traceId)).map(({ id }) => id)
    const expectScoreCount = async (of: string, expected: number) => {
      const { scores, isEstimate } = await store.readStorage(of)
      if (!isEstimate) expect(scores.count).toBe(expected)
    }
    const tracesBy = async (filters: object, of = projectId) =>
      (await store.listTraces(of, { limit: 99, filters })).traces
        .map(({ traceId }) => traceId)
        .toSorted()

    describe('recorded scores', () => {
      test('are returned unchanged, newest first, in pages', async () => {
        await recordTraces(projectId, 'trace')
        const full = score('full', {
          ...{ spanId: 'a', evaluatorId: 'e', runId: 'r', source: 'person', authorId: 'u' },
          ...{ status: 'error', value: 0.1 + 0.2, passed: true, reasoning: 'wegen\n"Ω"' },
          ...{ evalType: 'model_judge', tokensIn: 2 ** 50, tokensOut: 1, costUsd: 1e-9 },
          ...{ latencyMs: 0.5, details: '{"n":1.0e0}' as Score['details'], createdAt: start + 5n },
        })
        const others = ['a', 'b', 'c'].map((id) => score(id))
        expect(await store.recordScores(projectId, [...others, full])).toEqual({
          missingTraceIds: [],
          fullTraceIds: [],
        })
        expect(await scoresOf(projectId)).toEqual([full, ...others.toReversed()])
        const first = await store.listScores(projectId, 'trace', { limit: 3 })
        expect(first.scores.map(({ id }) => id)).toEqual(['full', 'c', 'b'])
        const after = first.next!
        const rest = await store.listScores(projectId, 'trace', { limit: 3, after })
        expect(rest).toEqual({ scores: [others[0]], next: undefined })
        await expectScoreCount(projectId, 4)
        const used = (await store.readStorage(projectId)).scores
        expect(used).toMatchObject({ oldestAt: start, newestAt: start + 5n })
      })

      test('of a trace that is not stored are skipped, and those of others are recorded', async () => {
        await recordTraces(projectId, 'trace')
        await recordTraces(other, 'theirs')
        const scores = [score('a'), score('b', { traceId: 'theirs' }), score('c')]
        expect(await store.recordScores(projectId, scores)).toEqual({
          missingTraceIds: ['theirs'],
          fullTraceIds: [],
        })
        expect(await idsOf(projectId)).toEqual(['c', 'a'])
        await recordTraces(projectId, 'theirs')
        expect(await idsOf(projectId, 'theirs')).toEqual([])
        expect(await idsOf(other, 'theirs')).toEqual([])
        await expectScoreCount(projectId, 2)
        const nobody = randomUUID()
        expect(await store.recordScores(nobody, [score('a')])).toEqual({
          missingTraceIds: ['trace'],
          fullTraceIds: [],
        })
        await expectScoreCount(nobody, 0)
      })

      test('of one person on a trace are limited, those of others are not', async () => {
        await recordTraces(projectId, 'trace', 'second')
        const most = limits.personScores.value
        const by = { source: 'person', authorId: 'ana' } as const
        const own = allOfPerson('trace', 'ana')
        await store.recordScores(projectId, own)
        const changed = { ...own[0]!, value: 0.5 }
        const more = [score('more', by), changed, score('machine')]
        const others = [
          score('theirs', { ...by, authorId: 'ben' }),
          score('elsewhere', { ...by, traceId: 'second' }),
        ]
        expect(await store.recordScores(projectId, [...more, ...others])).toEqual({
          missingTraceIds: [],
          fullTraceIds: ['trace'],
        })
        await expectScoreCount(projectId, most + 3)
        expect(await idsOf(projectId, 'second')).toEqual(['elsewhere'])
        const stored = await scoresOf(projectId, 'trace', most + 9)
        expect(stored).toContainEqual(changed)
        expect(stored.map(({ id }) => id)).not.toContain('more')
        await store.removeScores(projectId, 'trace', [own[1]!.id], 'ana')
        await store.recordScores(projectId, [score('more', by)])
        const after = await scoresOf(projectId, 'trace', most + 9)
        expect(after.map(({ id }) => id)).toContain('more')
      })

      test('are reported to listeners with their trace', async () => {
        await recordTraces(projectId, 'trace')
        const recording = watchIds(store, projectId)
        await store.recordScores(projectId, [score('a'), score('b', { traceId: 'none' })])
        await expect.poll(() => new Set(recording.reported)).toEqual(new Set(['trace']))
        recording.end()
        const removing = watchIds(store, projectId)
        await store.removeScores(projectId, 'trace', ['a'])
        await expect.poll(() => new Set(removing.reported)).toEqual(new Set(['trace']))
        removing.end()
      })

      test('in any order and repeated in any way end as the latest version of each', async () => {
        const version = fc.record({
          id: fc.constantFrom('a', 'b', 'c'),
          updatedAt: fc.bigInt({ min: 0n, max: 5n }),
        })
        const drawn = fc
          .uniqueArray(version, {
            selector: (each) => `${each.id} ${each.updatedAt}`,
            minLength: 1,
          })
          .chain((versions) =>
            fc.tuple(
              fc.constant(versions),
              fc.shuffledSubarray([...versions, ...versions], {
                minLength: versions.length * 2,
              }),
              fc.integer({ min: 1, max: 4 }),
            ),
          )
        await fc.assert(
          fc.asyncProperty(drawn, async ([versions, order, batch]) => {
            const of = randomUUID()
            await recordTraces(of, 'trace')
            const toScore = ({ id, updatedAt }: (typeof versions)[number]) =>
              score(id, { updatedAt, reasoning: `version ${updatedAt}` })
            for (let i = 0; i < order.length; i += batch) {
              await store.recordScores(of, order.slice(i, i + batch).map(toScore))
            }
            const latest = new Map<string, Score>()
            for (const each of versions.toSorted((x, y) => Number(x.updatedAt - y.updatedAt)))
              latest.set(each.id, toScore(each))
            const expected = [...latest.values()].toSorted((x, y) => compareIds(y.id, x.id))
            expect(await scoresOf(of)).toEqual(expected)
            await expectScoreCount(of, latest.size)
          }),
          { numRuns: 25 },
        )
      })
    })

    test('are found by their run, however many runs are newer', async () => {
      await recordTraces(projectId, 'trace')
      const own = [score('a', { runId: 'r' }), score('b', { runId: 'r' })]
      await store.recordScores(projectId, [...own, score('c', { runId: 'other' })])
      expect(await store.findScoreRun(projectId, 'trace', 'r')).toEqual({ runId: 'r', scores: own })
      expect(await store.findScoreRun(projectId, 'trace', 'none')).toBeUndefined()
      expect(await store.findScoreRun(other, 'trace', 'r')).toBeUndefined()
    })

    test('are counted by trace: the newest of each name that is scored, without those of spans', async () => {
      await recordTraces(projectId, 'trace', 'second', 'without')
      await recordTraces(other, 'trace')
      await store.recordScores(projectId, [
        score('a', { name: 'x', passed: false }),
        score('b', { name: 'x', passed: true, createdAt: start + 1n }),
        score('c', { name: 'y', passed: false }),
        score('d', { name: 'z', status: 'error', passed: false }),
        score('e', { traceId: 'second', name: 'x' }),
        score('h', {
          traceId: 'second',
          name: 'x',
          passed: false,
          spanId: 'a',
          createdAt: start + 1n,
        }),
        // Of the same instant, the one with the largest id.
        score('g', { traceId: 'second', name: 'y', passed: false }),
        score('f', { traceId: 'second', name: 'y', passed: true }),
      ])
      const countAll = async () => {
        const counts = await store.countScores(projectId, ['trace', 'second', 'without', 'none'])
        return counts.toSorted((x, y) => compareIds(y.traceId, x.traceId))
      }
      const expected = [
        { traceId: 'trace', scored: 2, passed: 1 },
        { traceId: 'second', scored: 2, passed: 1 },
      ]
      expect(await countAll()).toEqual(expected)
      await store.recordScores(projectId, [score('e', { traceId: 'second', name: 'x' })])
      expect(await countAll()).toEqual(expected)
      expect(await store.countScores(other, ['trace', 'second'])).toEqual([])
    })

    test('any sequence of recording, removing and moving matches a model', async () => {
      const scoreId = fc.constantFrom('a', 'b', 'c')
      const traceId = fc.constantFrom('t1', 't2')
      const drawn = fc.array(
        fc.oneof(
          fc.record({
            ...{ op: fc.constant('record' as const), traceId, scoreId },
            value: fc.constantFrom(0, 0.5, 1),
            status: fc.constantFrom('scored' as const, 'not_applicable' as const, 'error' as const),
            createdAt: fc.bigInt({ min: 0n, max: 2n }),
            spanId: fc.constantFrom(null, null, 'a'),
          }),
          fc.record({ op: fc.constant('remove' as const), traceId, scoreId }),
          fc.record({ op: fc.constantFrom('adopt', 'remove-trace', 'record-trace'), traceId }),
        ),
        { maxLength: 25 },
      )
      await fc.assert(
        fc.asyncProperty(drawn, async (steps) => {
          const projects = [randomUUID(), randomUUID()] as const
          // The project of each trace, and its scores.
          const model = new Map<string, { home: 0 | 1; scores: Map<string, Score> }>()
          for (const step of steps) {
            const known = model.get(step.traceId)
            const here = projects[known?.home ?? 0]
            if ('value' in step) {
              const { traceId, value, status, createdAt, spanId } = step
              const rest = { traceId, spanId, value, status, createdAt, name: 'n' }
              const one = score(step.scoreId, rest)
              await store.recordScores(here, [one])
              known?.scores.set(step.scoreId, one)
            } else if ('scoreId' in step) {
              await store.removeScores(here, step.traceId, [step.scoreId])
              known?.scores.delete(step.scoreId)
            } else if (step.op === 'adopt') {
              const to = known?.home === 0 ? 1 : 0
              await store.moveTraces(projects[to], here, [step.traceId])
              if (known !== undefined) known.home = to
            } else if (step.op === 'remove-trace') {
              await store.removeTrace(here, step.traceId)
              model.delete(step.traceId)
            } else {
              await recordTraces(here, step.traceId)
              if (known === undefined) model.set(step.traceId, { home: 0, scores: new Map() })
            }
          }
          for (const [home, project] of projects.entries()) {
            const own = [...model].filter(([, trace]) => trace.home === home)
            for (const traceId of ['t1', 't2']) {
              const expected = own.find(([id]) => id === traceId)?.[1].scores.values() ?? []
              const newest = [...expected].toSorted(newestFirst)
              expect(await scoresOf(project, traceId)).toEqual(newest)
            }
            const counted = own.reduce((sum, [, { scores }]) => sum + scores.size, 0)
            await expectScoreCount(project, counted)
            const low = own.filter(([, { scores }]) => (latestValue(scores) ?? 1) < 1)
            expect(await tracesBy({ score: { name: 'n', max: 0.9 } }, project)).toEqual(
              low.map(([traceId]) => traceId).toSorted(),
            )
            const scored = own.filter(([, { scores }]) => scores.size > 0)
            expect(await tracesBy({ hasScore: true }, project)).toEqual(
              scored.map(([traceId]) => traceId).toSorted(),
            )
          }
        }),
        { numRuns: 40 },
      )
    })

    test('of a removed project are removed, and those of another project remain', async () => {
      for (const of of [projectId, other]) {
        await recordTraces(of, 'trace')
        await store.recordScores(of, [score('a')])
      }
      while ((await store.removeProject(projectId)) === 'more');
      await recordTraces(projectId, 'trace')
      expect(await idsOf(projectId)).toEqual([])
      await expectScoreCount(projectId, 0)
      expect(await idsOf(other)).toEqual(['a'])
      await expectScoreCount(other, 1)
    })

    test('can be removed by id, which affects no other score, trace or project', async () => {
      await recordTraces(projectId, 'trace', 'second')
      await recordTraces(other, 'trace')
      await store.recordScores(projectId, [
        ...[score('a'), score('b')],
        score('a', { traceId: 'second' }),
      ])
      await store.recordScores(other, [score('a')])
      expect(await store.removeScores(projectId, 'trace', ['a', 'none', 'a'])).toBe(1)
      expect(await store.removeScores(projectId, 'trace', ['a'])).toBe(0)
      expect(await store.removeScores(randomUUID(), 'trace', ['b'])).toBe(0)
      expect(await idsOf(projectId)).toEqual(['b'])
      expect(await idsOf(projectId, 'second')).toEqual(['a'])
      expect(await idsOf(other)).toEqual(['a'])
    })

    test('can be removed and listed by source, and removed only by the person who gave them', async () => {
      await recordTraces(projectId, 'trace')
      const by = (authorId: string) => ({ source: 'person', authorId }) as const
      await store.recordScores(projectId, [
        ...[score('mine', by('ana')), score('theirs', by('ben'))],
        // Ana started this evaluation.
        score('machine', { authorId: 'ana' }),
      ])
      const query = { limit: 9, source: 'person' } as const
      const people = await store.listScores(projectId, 'trace', query)
      expect(people.scores.map(({ id }) => id)).toEqual(['theirs', 'mine'])
      const all = ['mine', 'theirs', 'machine']
      expect(await store.removeScores(projectId, 'trace', all, 'ana')).toBe(1)
      expect(await idsOf(projectId)).toEqual(['theirs', 'machine'])
      await expectScoreCount(projectId, 2)
    })

    describe('runs', () => {
      test('are the newest of the trace, each with its scores in order of creation', async () => {
        await recordTraces(projectId, 'trace', 'second')
        const ofRun = (run: number, traceId = 'trace') =>
          ['x', 'y'].map((id, i) =>
            score(`${run}${id}`, {
              ...{ traceId, runId: `run ${run}`, createdAt: start + BigInt(run * 10 + i) },
            }),
          )
        await store.recordScores(projectId, [...ofRun(2), ...ofRun(3), ...ofRun(1), score('none')])
        await store.recordScores(projectId, ofRun(4, 'second'))
        expect(await store.listScoreRuns(projectId, 'trace', 2)).toEqual([
          { runId: 'run 3', scores: ofRun(3) },
          { runId: 'run 2', scores: ofRun(2) },
        ])
        expect(await store.listScoreRuns(other, 'trace', 2)).toEqual([])
      })
    })

    describe('traces by score', () => {
      const named = (traceId: string, value: number, rest: Partial<Score> = {}) =>
        score(`${traceId} ${rest.createdAt ?? ''}`, { traceId, value, name: 'quality', ...rest })

      beforeEach(async () => {
        await recordTraces(projectId, 't1', 't2', 't3', 't4', 't5')
        await recordTraces(other, 't1')
        await store.recordScores(other, [named('t1', 0)])
        await store.recordScores(projectId, [
          ...[named('t1', 0.2), named('t2', 0.9), named('t3', 0.9)],
          // An older one and one that is not `scored`.
          ...[named('t2', 0.1, { createdAt: start - 1n })],
          ...[named('t1', 0, { createdAt: start + 1n, status: 'error' })],
          ...[named('t4', 1, { status: 'not_applicable' }), named('t5', 0.5, { name: 'other' })],
        ])
      })

      test('are filtered by having any score, and by the newest value of a name', async () => {
        expect(await tracesBy({ hasScore: true })).toEqual(['t1', 't2', 't3', 't4', 't5'])
        expect(await tracesBy({ hasScore: false })).toEqual([])
        await recordTraces(projectId, 'plain')
        expect(await tracesBy({ hasScore: false })).toEqual(['plain'])
        expect(await tracesBy({ score: { name: 'quality' } })).toEqual(['t1', 't2', 't3'])
        expect(await tracesBy({ score: { name: 'quality', min: 0.9 } })).toEqual(['t2', 't3'])
        expect(await tracesBy({ score: { name: 'quality', max: 0.2 } })).toEqual(['t1'])
        expect(await tracesBy({ score: { name: 'none' } })).toEqual([])
        const both = { score: { name: 'quality' }, name: 'run', from: start + 1n, hasScore: true }
        expect(await tracesBy(both)).toEqual(['t2', 't3'])
        expect(await tracesBy({ score: { name: 'quality', max: 0.2 } }, other)).toEqual(['t1'])
      })

      test('are filtered by whether the newest scored score of a name passed', async () => {
        const failed = (max = 1) => tracesBy({ score: { name: 'quality', passed: false, max } })
        expect(await failed()).toEqual([])
        await store.recordScores(projectId, [
          // The verdict is the evaluator's: a high value can fail.
          ...[named('t3', 0.95, { passed: false, createdAt: start + 1n })],
          ...[named('t1', 0, { passed: false, createdAt: start + 2n, status: 'error' })],
          ...[named('t2', 0.1, { passed: false, createdAt: start - 2n })],
          ...[named('t5', 0, { passed: false, name: 'third' })],
        ])
        expect(await failed()).toEqual(['t3'])
        expect(await failed(0.9)).toEqual([])
        const passed = { score: { name: 'quality', passed: true } }
        expect(await tracesBy(passed)).toEqual(['t1', 't2'])
        expect(await tracesBy(passed, other)).toEqual(['t1'])
        const { traces } = await store.listScoredTraces(projectId, {
          ...{ name: 'quality', order: 'lowest-first', limit: 9, scanLimit: 99 },
          filters: { score: { name: 'quality', passed: false } },
        })
        expect(traces.map(({ trace }) => trace.traceId)).toEqual(['t3'])
      })

      test('are counted over time with the same filters', async () => {
        const filters = { score: { name: 'quality', min: 0.9 } }
        const query = { filters, maxBuckets: 10, scanLimit: 99, now: start }
        const { buckets } = await store.readHistogram(projectId, query)
        expect(buckets.reduce((sum, { count }) => sum + count, 0)).toBe(2)
      })

      test('are listed in order of the value, in pages, without traces that have none', async () => {
        const collect = async (
          order: 'lowest-first' | 'highest-first',
          filters = {},
          scanLimit = 99,
        ) => {
          const found: [string, number][] = []
          for (let after: string | undefined; ; ) {
            const page = await store.listScoredTraces(projectId, {
              ...{ name: 'quality', order, filters, limit: 1, scanLimit },
              ...(after !== undefined && { after }),
            })
            found.push(
              ...page.traces.map((one) => [one.trace.traceId, one.value] as [string, number]),
            )
            after = page.next
            if (!page.isComplete) expect(after).toBeDefined()
            if (after === undefined) return found
          }
        }
        const lowest = await collect('lowest-first')
        expect(lowest[0]).toEqual(['t1', 0.2])
        expect(new Set(lowest.slice(1).map(([traceId]) => traceId))).toEqual(new Set(['t2', 't3']))
        expect(await collect('highest-first')).toEqual(lowest.toReversed())
        expect(await collect('highest-first', { to: start + 2n })).toEqual([
          ['t2', 0.9],
          ['t1', 0.2],
        ])
        for (const scanLimit of [1, 2, 3]) {
          expect(await collect('lowest-first', {}, scanLimit)).toEqual(lowest)
          expect(await collect('lowest-first', { from: start + 2n }, scanLimit)).toEqual([
            ['t3', 0.9],
          ])
        }
      })

      test('aggregates by name and evaluator over time are those of the newest scores', async () => {
        const range = { from: start - 1000n, to: start + 1000n, bucketNanos: 10n }
        const all = await store.readScoreStats(projectId, { ...range, scanLimit: 99 })
        expect(all.coverageStart).toBe(range.from)
        const [quality, otherName] = all.groups
        expect(otherName).toMatchObject({ name: 'other', evaluatorId: null })
        expect(quality?.name).toBe('quality')
        // One or two buckets, depending on where the multiples of ten fall.
        const sum = (key: 'count' | 'notApplicable' | 'errors') =>
          quality?.buckets.reduce((total, bucket) => total + bucket[key], 0)
        expect([sum('count'), sum('notApplicable'), sum('errors')]).toEqual([4, 1, 1])
        const newest = await store.readScoreStats(projectId, { ...range, scanLimit: 1 })
        expect(newest.coverageStart).toBe(start + 1n)
        expect(newest.groups).toEqual([
          {
            ...{ name: 'quality', evaluatorId: null, source: 'evaluator' },
            buckets: [
              {
                startedAt: start + 1n - ((start + 1n) % 10n),
                ...{ count: 0, mean: null, passRate: null, notApplicable: 0, errors: 1 },
              },
            ],
          },
        ])
        const whole = await store.readScoreStats(projectId, {
          ...{ ...range, bucketNanos: 3_600_000_000_000n, scanLimit: 99 },
        })
        expect(whole.groups[0]?.buckets).toMatchObject([
          { count: 4, mean: (0.2 + 0.9 + 0.9 + 0.1) / 4, passRate: 1, notApplicable: 1, errors: 1 },
        ])
        const nothing = await store.readScoreStats(randomUUID(), { ...range, scanLimit: 1 })
        expect(nothing.groups).toEqual([])
      })
    })
  })
}

function newestFirst(a: Score, b: Score): number {
  return a.createdAt === b.createdAt ? compareIds(b.id, a.id) : Number(b.createdAt - a.createdAt)
}

function latestValue(scores: ReadonlyMap<string, Score>): number | undefined {
  const counted = [...scores.values()].filter(
    ({ spanId, status }) => spanId === null && status === 'scored',
  )
  return counted.toSorted(newestFirst)[0]?.value
}
