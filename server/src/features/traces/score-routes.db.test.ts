import { evaluateTrace } from '@assay/contract/evaluations.ts'
import { createEvaluator, deleteEvaluator, updateEvaluator } from '@assay/contract/evaluators.ts'
import { exportTrajectories } from '@assay/contract/export.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { listScoreDisagreements, readScoreAgreement } from '@assay/contract/score-agreement.ts'
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
import { listBuiltIn, listBuiltInCollections } from '../../evaluators/built-in.ts'
import { allOfPerson } from '../../storage/telemetry/port/score-samples.ts'

const service = runningService()
const tenant = tenantPerTest(service)
const editor = signedInPerTest(service, () => tenant.members.Editor)
const owner = signedInPerTest(service, () => tenant.members.Owner)
const viewer = signedInPerTest(service, () => tenant.members.Viewer)

// Built-in evaluators have the same ids in every organization.
const anyOrganization = ''
const answerPresent = listBuiltIn(anyOrganization).find(({ name }) => name === 'Answer present')!

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
        author_name: tenant.members.Editor.name,
        evaluator_id: null,
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
    [{ score: 1 }, 'must have either name or evaluator_id'],
    [{ name: 'x', evaluator_id: answerPresent.id, score: 1 }, 'must have either name or'],
    [{ name: '', score: 1 }, 'name must not be empty'],
    [{ name: 'x', score: 1, reasoning: 'r'.repeat(10_001) }, 'reasoning'],
  ])('with %j is refused', async (body, message) => {
    const { error } = await service.call(putScore, { params: inTrace('a'), body }, editor)
    expect([error.code, error.message.includes(message)]).toEqual(['VALIDATION_ERROR', true])
    expect(await scores('a')).toEqual([])
  })

  test('is refused beyond the limit of the person on the trace', async () => {
    const own = allOfPerson('a', tenant.members.Editor.id)
    await service.telemetry.recordScores(tenant.projectId, own)
    expect((await put('a', 1)).error).toMatchObject({
      code: 'CONFLICT',
      message: 'A person can have at most 1,000 scores on a trace. Remove one of yours first.',
    })
    expect(await scores('a')).not.toContainEqual(expect.objectContaining({ name: 'Helpful' }))
    expect((await put('a', 1, owner)).status).toBe(201)
    expect((await put('b', 1)).status).toBe(201)
  })

  test('of a trace that does not exist, or by a Viewer, is refused', async () => {
    expect((await put('none', 1)).error.code).toBe('NOT_FOUND')
    expect((await put('a', 1, viewer)).error.code).toBe('FORBIDDEN')
    const none = await service.call(listScores, { params: inTrace('none') }, viewer)
    expect(none.error.code).toBe('NOT_FOUND')
  })
})

describe('a score of a person for a span', () => {
  const putOn = (span_id: string, score: number, rest = {}, traceId = 'a') =>
    service.call(
      putScore,
      { params: inTrace(traceId), body: { name: 'Helpful', score, span_id, ...rest } },
      editor,
    )

  test('is listed with its span, and replaced apart from that of the trace', async () => {
    expect((await putOn('s', 0.2)).data).toMatchObject({ span_id: 's', trace_id: 'a', score: 0.2 })
    await put('a', 0.9)
    await putOn('s', 0.4)
    const stored = (await scores('a')).map(({ span_id, score }) => [span_id, score] as const)
    expect(stored).toHaveLength(2)
    expect(new Map<string | null, number>(stored)).toEqual(
      new Map([
        [null, 0.9],
        ['s', 0.4],
      ]),
    )
  })

  test('does not count as the score of its trace', async () => {
    await put('a', 0.9)
    await putOn('s', 0.1)
    const query = { score: 'Helpful', max_score: 0.5 }
    const low = await service.call(listTraces, { params: inProject(), query }, viewer)
    expect(low.data).toEqual([])
    const path = exportTrajectories.path.replace('{projectId}', tenant.projectId)
    const exported = await (await fetch(service.api + path, { headers: owner })).text()
    expect(exported).toContain('"rewards":[{"name":"Helpful","score":0.9}]')
  })

  test('of a span or trace that does not exist, or for an evaluator, is refused', async () => {
    expect((await putOn('none', 1)).error.message).toBe('Span not found.')
    expect((await putOn('s', 1, {}, 'none')).error.message).toBe('Trace not found.')
    const evaluated = await putOn('s', 1, { name: undefined, evaluator_id: answerPresent.id })
    expect(evaluated.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'The body must not have span_id with evaluator_id: evaluators score whole traces',
    })
    expect((await putOn('', 1)).error.code).toBe('VALIDATION_ERROR')
    expect(await scores('a')).toEqual([])
  })
})

describe('a score of a person for an evaluator', () => {
  const { id: evaluator_id } = answerPresent
  const putFor = (body: object, as = editor) =>
    service.call(putScore, { params: inTrace('a'), body: { score: 0, ...body } }, as)

  test('has its name, replaces the earlier one, and is apart from a score with that name', async () => {
    const { data } = await putFor({ evaluator_id, reasoning: 'It is empty.' })
    expect(data).toMatchObject({ name: 'Answer present', evaluator_id, source: 'person' })
    await putFor({ name: 'Answer present' })
    await putFor({ evaluator_id, score: 1 })
    const stored = await scores('a')
    const values = stored.map((one) => [one.evaluator_id, one.score] as const)
    expect(new Map(values)).toEqual(
      new Map<string | null, number>([
        [evaluator_id, 1],
        [null, 0],
      ]),
    )
    expect(stored).toHaveLength(2)
    const { data: stats } = await service.call(readScoreStats, { params: inProject() }, viewer)
    expect(stats.groups.map(({ source }) => source)).toEqual(['person', 'person'])
  })

  test('of another organization, or of none, is refused', async () => {
    const other = await service.addTenant()
    const as = await service.signedIn(other.members.Owner)
    const body = { name: 'Polite', category: 'quality' as const, prompt_template: '{{output}}' }
    const params = { orgId: other.organizationId }
    const { data: theirs } = await service.call(createEvaluator, { params, body }, as)
    for (const unknown of [theirs.id, tenant.projectId]) {
      const { error } = await putFor({ evaluator_id: unknown })
      expect(error).toMatchObject({ code: 'NOT_FOUND', message: 'Evaluator not found.' })
    }
    expect(await scores('a')).toEqual([])
    const own = {
      params: { projectId: other.projectId, traceId: 'none' },
      body: { evaluator_id: theirs.id, score: 1 },
    }
    expect((await service.call(putScore, own, as)).error.message).toBe('Trace not found.')
  })

  test('follows a renamed evaluator, and stays when it is deleted', async () => {
    const params = { orgId: tenant.organizationId }
    const body = { name: 'Polite', category: 'quality' as const, prompt_template: '{{output}}' }
    const { data: own } = await service.call(createEvaluator, { params, body }, owner)
    const { data: first } = await putFor({ evaluator_id: own.id })
    const one = { ...params, evaluatorId: own.id }
    await service.call(updateEvaluator, { params: one, body: { name: 'Kind' } }, owner)
    const { data: second } = await putFor({ evaluator_id: own.id, score: 1 })
    expect([second.id, second.name]).toEqual([first.id, 'Kind'])
    await service.call(deleteEvaluator, { params: one }, owner)
    expect((await putFor({ evaluator_id: own.id })).error.code).toBe('NOT_FOUND')
    expect(await scores('a')).toMatchObject([{ name: 'Kind', score: 1 }])
  })
})

describe('the agreement of evaluators and people', () => {
  const agreement = async (query = {}) =>
    (await service.call(readScoreAgreement, { params: inProject(), query }, viewer)).data
  const disagreements = (query = {}) =>
    service.call(
      listScoreDisagreements,
      { params: inProject(), query: { evaluator_id: answerPresent.id, ...query } },
      viewer,
    )
  const collection = listBuiltInCollections(anyOrganization).find(({ evaluators }) =>
    evaluators.some(({ id }) => id === answerPresent.id),
  )!
  const evaluate = async (traceId: string) => {
    const body = { collection_id: collection.id }
    const { data } = await service.call(evaluateTrace, { params: inTrace(traceId), body }, editor)
    return data.results.find((one) => one.evaluator_id === answerPresent.id)!
  }
  const judge = (traceId: string, passed: boolean, as = editor) => {
    const body = { evaluator_id: answerPresent.id, score: passed ? 1 : 0, reasoning: 'I read it.' }
    return service.call(putScore, { params: inTrace(traceId), body }, as)
  }

  test('is counted, and lists the traces with both verdicts in pages', async () => {
    const result = await evaluate('a')
    for (const traceId of ['b', 'c']) await evaluate(traceId)
    const { passed } = result
    await judge('a', !passed)
    await judge('b', !passed)
    await judge('c', passed)
    const { evaluators, complete_from } = await agreement()
    expect(Date.parse(complete_from)).toBeLessThan(Date.now())
    expect(evaluators).toEqual([
      {
        ...{ evaluator_id: answerPresent.id, name: 'Answer present', traces: 3, ties: 0 },
        ...{ both_passed: passed ? 1 : 0, both_failed: passed ? 0 : 1 },
        ...{ false_passes: passed ? 2 : 0, false_fails: passed ? 0 : 2 },
        ...{ agreement: 1 / 3, kappa: 0 },
      },
    ])
    const first = await disagreements({ limit: 1 })
    const second = await disagreements({ limit: 1, cursor: first.meta.cursor })
    expect(new Set([first, second].map(({ data }) => data[0]?.trace.trace_id))).toEqual(
      new Set(['a', 'b']),
    )
    expect([second.meta.cursor, second.meta.is_complete]).toEqual([null, true])
    expect(first.data[0]).toMatchObject({
      evaluator: { reasoning: result.reasoning, passed, source: 'evaluator' },
      people: [
        { reasoning: 'I read it.', passed: !passed, author_name: tenant.members.Editor.name },
      ],
      ...{ people_passed: passed ? 0 : 1, people_failed: passed ? 1 : 0 },
    })
    expect(JSON.stringify(first.data)).not.toContain(tenant.members.Editor.email)
    await judge('a', passed, owner)
    expect((await agreement()).evaluators).toMatchObject([{ traces: 2, ties: 1 }])
    expect((await disagreements()).data.map(({ trace }) => trace.trace_id)).toEqual(['b'])
    const ties = await disagreements({ kind: 'tie' })
    expect(ties.data).toMatchObject([
      { trace: { trace_id: 'a' }, people_passed: 1, people_failed: 1 },
    ])
  })

  test('is not read with a range that ends before it starts', async () => {
    const query = { from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' }
    for (const { status, error } of [
      await service.call(readScoreAgreement, { params: inProject(), query }, viewer),
      await disagreements(query),
    ]) {
      expect([status, error.message]).toEqual([400, 'from must be before to'])
    }
    expect((await disagreements({ cursor: 'x' })).error.code).toBe('VALIDATION_ERROR')
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
    expect(await ids({ score: 'Helpful', passed: 'true' })).toEqual(['c'])
    expect(await ids({ score: 'Helpful', passed: 'false' })).toEqual(['a'])
  })

  test.each([
    [{ min_score: 0.5 }, 'score is required with min_score, max_score and passed'],
    [{ max_score: 0.5 }, 'score is required with min_score, max_score and passed'],
    [{ passed: 'false' }, 'score is required with min_score, max_score and passed'],
    [{ score: 'Helpful', passed: 'no' }, 'passed must be true or false'],
    [{ score: 'Helpful', min_score: 2 }, 'min_score must be'],
    [{ has_score: 'maybe' }, 'has_score must be true or false'],
  ])('are not filtered by %j', async (query, message) => {
    const { status, error } = await service.call(listTraces, { params: inProject(), query }, viewer)
    expect([status, error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(error.message).toContain(message)
  })

  test.each([
    ['score=Helpful&min_score=', 'min_score must be a number'],
    ['score=Helpful&max_score=+', 'max_score must be a number'],
    ['min_cost_usd=', 'min_cost_usd must be a number'],
    ['limit=', 'limit must be a number from 1 to 100'],
  ])('are not filtered by the empty number in %s', async (query, message) => {
    const path = `/projects/${tenant.projectId}/traces?${query}`
    const response = await fetch(service.api + path, { headers: viewer })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { message } })
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
