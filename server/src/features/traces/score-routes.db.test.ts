import { exportTrajectories } from '@assay/contract/export.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import {
  listScoredTraces,
  listScores,
  putScore,
  readScoreStats,
  removeScore,
} from '@assay/contract/scores.ts'
import { listTraces } from '@assay/contract/traces.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { runningService, signedInPerTest, tenantPerTest } from '../../../test/service-suite.ts'

const service = runningService()
const tenant = tenantPerTest(service)
const editor = signedInPerTest(service, () => tenant.members.Editor)
const owner = signedInPerTest(service, () => tenant.members.Owner)
const viewer = signedInPerTest(service, () => tenant.members.Viewer)

const inProject = () => ({ projectId: tenant.projectId })
const inTrace = (traceId: string) => ({ ...inProject(), traceId })
const put = (traceId: string, score: number, as = editor, name = 'Helpful') =>
  service.call(putScore, { params: inTrace(traceId), body: { name, score } }, as)
const scores = async (traceId: string) =>
  (await service.call(listScores, { params: inTrace(traceId) }, viewer)).data

beforeEach(async () => {
  for (const [n, trace_id] of ['a', 'b', 'c'].entries()) {
    const spans = [{ span_id: 's', name: 'run', started_at: `2026-01-0${n + 1}T00:00:00Z` }]
    await service.call(ingestTrace, { body: { trace_id, spans } }, tenant.keyHeader)
  }
})

describe('a score of a person', () => {
  test('is listed, and replaced by the next one of the same person and name', async () => {
    const { status, data } = await put('a', 0.2)
    expect([status, data]).toMatchObject([
      201,
      {
        name: 'Helpful',
        source: 'person',
        score: 0.2,
        passed: false,
        author_id: tenant.members.Editor.id,
      },
    ])
    await put('a', 0.9)
    await put('a', 0.4, owner)
    expect((await scores('a')).map(({ score, passed }) => [score, passed])).toEqual(
      expect.arrayContaining([
        [0.9, true],
        [0.4, false],
      ]),
    )
    expect(await scores('a')).toHaveLength(2)
  })

  test('is removed by that person only', async () => {
    const { id: scoreId } = (await put('a', 0.2)).data
    const remove = (as = editor) =>
      service.call(removeScore, { params: { ...inTrace('a'), scoreId } }, as)
    expect((await remove(owner)).error.code).toBe('NOT_FOUND')
    expect(await scores('a')).toHaveLength(1)
    expect((await remove()).data).toEqual({ status: 'removed' })
    expect(await scores('a')).toEqual([])
  })

  test.each([
    [{ name: 'x', score: 1.5 }, 'score'],
    [{ name: '', score: 1 }, 'name must not be empty'],
    [{ name: 'x', score: 1, reasoning: 'r'.repeat(10_001) }, 'reasoning'],
  ])('with %j is refused', async (body, message) => {
    const { error } = await service.call(putScore, { params: inTrace('a'), body }, editor)
    expect([error.code, error.message.includes(message)]).toEqual(['VALIDATION_ERROR', true])
    expect(await scores('a')).toEqual([])
  })

  test('of a trace that does not exist, or by a Viewer, is refused', async () => {
    expect((await put('none', 1)).error.code).toBe('NOT_FOUND')
    expect((await put('a', 1, viewer)).error.code).toBe('FORBIDDEN')
    const none = await service.call(listScores, { params: inTrace('none') }, viewer)
    expect(none.error.code).toBe('NOT_FOUND')
  })
})

describe('traces with scores', () => {
  const ids = async (query: object) =>
    (await service.call(listTraces, { params: inProject(), query }, viewer)).data.map(
      ({ trace_id }) => trace_id,
    )

  test('are found by whether they have one, and by its value', async () => {
    await put('a', 0.2)
    await put('c', 0.8)
    expect(await ids({ has_score: 'true' })).toEqual(['c', 'a'])
    expect(await ids({ has_score: 'false' })).toEqual(['b'])
    expect(await ids({ score: 'Helpful', min_score: 0.5 })).toEqual(['c'])
    expect(await ids({ score: 'Helpful', max_score: 0.5 })).toEqual(['a'])
    expect(await ids({ score: 'Other' })).toEqual([])
  })

  test.each([
    [{ min_score: 0.5 }, 'score is required with min_score and max_score'],
    [{ max_score: 0.5 }, 'score is required with min_score and max_score'],
    [{ score: 'Helpful', min_score: 2 }, 'min_score must be'],
    [{ has_score: 'maybe' }, 'has_score must be true or false'],
  ])('are not filtered by %j', async (query, message) => {
    const { status, error } = await service.call(listTraces, { params: inProject(), query }, viewer)
    expect([status, error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(error.message).toContain(message)
  })

  test('are listed by their score, in pages', async () => {
    for (const [id, value] of [
      ['a', 0.5],
      ['b', 0.1],
      ['c', 0.9],
    ] as const)
      await put(id, value)
    const page = (query: object) =>
      service.call(
        listScoredTraces,
        { params: inProject(), query: { name: 'Helpful', ...query } },
        viewer,
      )
    const first = await page({ limit: 2 })
    expect(first.data.map(({ trace, score }) => [trace.trace_id, score])).toEqual([
      ['b', 0.1],
      ['a', 0.5],
    ])
    const second = await page({ limit: 2, cursor: first.meta.cursor })
    expect(second.data.map(({ trace }) => trace.trace_id)).toEqual(['c'])
    const best = await page({ order: 'highest-first', limit: 1 })
    expect(best.data[0]?.trace.trace_id).toBe('c')
  })

  test('are exported with the newest score of each name as rewards', async () => {
    await put('a', 0.1)
    await put('a', 0.3)
    await put('a', 1, editor, 'Polite')
    const path = exportTrajectories.path.replace('{projectId}', tenant.projectId)
    const response = await fetch(service.api + path, { headers: owner })
    const lines = (await response.text())
      .trim()
      .split('\n')
      .map(
        (line) =>
          JSON.parse(line) as {
            trace_id: string
            rewards: { name: string; score: number }[]
          },
      )
    const rewards = lines.find(({ trace_id }) => trace_id === 'a')?.rewards
    expect(rewards).toEqual(
      expect.arrayContaining([
        { name: 'Helpful', score: 0.3 },
        { name: 'Polite', score: 1 },
      ]),
    )
    expect(lines.find(({ trace_id }) => trace_id === 'b')?.rewards).toEqual([])
  })

  test('are counted over time by the name of the score', async () => {
    await put('a', 0.2)
    await put('b', 0.6)
    const { data } = await service.call(readScoreStats, { params: inProject() }, viewer)
    expect(data.groups).toMatchObject([
      { name: 'Helpful', evaluator_id: null, buckets: [{ count: 2, mean: 0.4, pass_rate: 0.5 }] },
    ])
    const query = { from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' }
    const wrong = await service.call(readScoreStats, { params: inProject(), query }, viewer)
    expect(wrong.error.message).toBe('from must be before to')
  })
})
