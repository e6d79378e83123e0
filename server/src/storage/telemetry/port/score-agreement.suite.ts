import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { compareIds } from '../../../domain/id-order.ts'
import type { Score } from '../../../domain/score.ts'
import { type OpenStore, span, start } from './samples.ts'
import type { DisagreementPage, DisagreementQuery } from './score-agreement.ts'
import { score } from './score-samples.ts'
import type { TelemetryStore } from './store.ts'

/*
 * What score-agreement.ts promises, as tests.
 */

const range = { from: start - 1000n, to: start + 1000n, scanLimit: 999 }
const evaluatorId = 'e'

const machine = (traceId: string, passed: boolean, rest: Partial<Score> = {}) =>
  score(`machine ${traceId} ${rest.createdAt ?? ''}`, { traceId, evaluatorId, passed, ...rest })
const person = (authorId: string, traceId: string, passed: boolean, rest: Partial<Score> = {}) =>
  score(`${authorId} ${rest.evaluatorId ?? ''}`, {
    ...{ traceId, evaluatorId, passed, source: 'person', authorId, ...rest },
  })

export function describeScoreAgreement(open: OpenStore): void {
  describe('agreement of evaluators and people', () => {
    let store: TelemetryStore
    let projectId: string
    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store.close())
    beforeEach(() => {
      projectId = randomUUID()
    })

    const recordTraces = (of: string, traceIds: readonly string[]) =>
      store.record({
        projectId: of,
        source: 'json',
        spans: store.encode(traceIds.map((traceId) => span('a', { traceId }))),
      })
    const agreementOf = async (query = range, of = projectId) =>
      (await store.readAgreement(of, query)).evaluators
    const disagreeing = async (query: Partial<DisagreementQuery> = {}) => {
      const found: DisagreementPage['disagreements'][number][] = []
      for (let after: string | undefined; ; ) {
        const page = await store.listDisagreements(projectId, {
          ...{ ...range, evaluatorId, kind: 'majority', limit: 1, ...query },
          ...(after !== undefined && { after }),
        })
        found.push(...page.disagreements)
        after = page.next
        if (after === undefined) return found
      }
    }
    const idsOf = async (query: Partial<DisagreementQuery> = {}) =>
      (await disagreeing(query)).map(({ trace }) => trace.traceId)

    test('compares the newest result with the majority of people, and counts ties apart', async () => {
      await recordTraces(projectId, ['fp', 'ff', 'pp', 'nn', 'tie', 'alone', 'unscored'])
      await store.recordScores(projectId, [
        ...[machine('fp', false, { createdAt: start - 1n }), machine('fp', true)],
        ...[person('ana', 'fp', false), person('ben', 'fp', true), person('cy', 'fp', false)],
        ...[machine('ff', false), person('ana', 'ff', true, { createdAt: start + 1n })],
        ...[machine('pp', true), person('ana', 'pp', true)],
        ...[machine('nn', false), person('ana', 'nn', false)],
        ...[machine('tie', true), person('ana', 'tie', true), person('ben', 'tie', false)],
        ...[machine('alone', true), person('ana', 'unscored', true)],
        machine('unscored', true, { status: 'not_applicable' }),
        machine('unscored', false, { status: 'error', createdAt: start + 1n }),
      ])
      expect(await store.readAgreement(projectId, range)).toEqual({
        evaluators: [
          {
            ...{ evaluatorId, name: 'quality', ties: 1 },
            ...{ bothPassed: 1, bothFailed: 1, falsePasses: 1, falseFails: 1 },
          },
        ],
        coverageStart: range.from,
      })
      const found = await disagreeing()
      expect(found.map(({ trace }) => trace.traceId)).toEqual(['ff', 'fp'])
      expect(await idsOf({ kind: 'tie' })).toEqual(['tie'])
      expect(found[1]).toMatchObject({ peoplePassed: 1, peopleFailed: 2 })
      expect(found[1]?.evaluator).toEqual(machine('fp', true))
      expect(found[1]?.people.map(({ authorId }) => authorId)).toEqual(['cy', 'ben', 'ana'])
    })

    test('matches by the id of the evaluator, not by its name', async () => {
      await recordTraces(projectId, ['a'])
      await store.recordScores(projectId, [
        ...[machine('a', true), person('ana', 'a', false, { evaluatorId: 'other' })],
        person('ben', 'a', false, { evaluatorId: null }),
      ])
      expect(await agreementOf()).toEqual([])
      expect(await idsOf()).toEqual([])
    })

    test('covers the traces that a person scored in the range, of this project', async () => {
      const other = randomUUID()
      for (const of of [projectId, other]) {
        await recordTraces(of, ['a', 'b'])
        await store.recordScores(of, [machine('a', true), machine('b', true)])
      }
      const at = (createdAt: bigint) => ({ createdAt })
      await store.recordScores(projectId, [
        ...[person('ana', 'a', false, at(start)), person('ana', 'b', false, at(start + 2n))],
        // Outside of a range that ends before, but still a vote of trace `a`.
        ...[person('ben', 'a', false, at(start + 3n)), person('cy', 'a', true, at(start + 3n))],
      ])
      const falsePasses = async (query: typeof range, of = projectId) =>
        (await agreementOf(query, of))[0]?.falsePasses
      expect(await falsePasses(range)).toBe(2)
      expect(await falsePasses({ ...range, to: start + 1n })).toBe(1)
      expect(await idsOf({ to: start + 1n })).toEqual(['a'])
      expect(await idsOf()).toEqual(['a', 'b'])
      expect(await idsOf({ from: start + 4n })).toEqual([])
      expect(await agreementOf(range, other)).toEqual([])
      const newest = await store.readAgreement(projectId, { ...range, scanLimit: 2 })
      expect(newest.coverageStart).toBe(start + 3n)
      expect(newest.evaluators).toMatchObject([{ falsePasses: 1 }])
      await store.removeTrace(projectId, 'a')
      expect(await idsOf()).toEqual(['b'])
      expect(await falsePasses(range)).toBe(1)
    })

    test('of any scores is that of a model, whatever the size of pages and scans', async () => {
      const traceIds = ['t1', 't2', 't3', 't4']
      const drawn = fc.array(
        fc.record({
          traceId: fc.constantFrom(...traceIds),
          author: fc.constantFrom('', 'ana', 'ben', 'cy'),
          passed: fc.boolean(),
          createdAt: fc.bigInt({ min: start, max: start + 3n }),
        }),
        { maxLength: 20 },
      )
      const pages = fc.record({
        limit: fc.integer({ min: 1, max: 3 }),
        scanLimit: fc.integer({ min: 1, max: 4 }),
      })
      await fc.assert(
        fc.asyncProperty(drawn, pages, async (draws, page) => {
          projectId = randomUUID()
          await recordTraces(projectId, traceIds)
          const scores = new Map<string, Score>()
          for (const { traceId, author, passed, createdAt } of draws) {
            const rest = { createdAt, updatedAt: start }
            const one =
              author === '' ? machine(traceId, passed, rest) : person(author, traceId, passed, rest)
            scores.set(`${traceId} ${one.id}`, one)
            await store.recordScores(projectId, [one])
          }
          const { counts, expected, ties } = modelOf([...scores.values()], traceIds)
          const [found] = await agreementOf()
          expect(found ?? noCounts).toEqual({ ...noCounts, ...counts })
          const listed = await idsOf(page)
          expect(listed.toSorted()).toEqual(expected.map(({ traceId }) => traceId).toSorted())
          expect((await idsOf({ ...page, kind: 'tie' })).toSorted()).toEqual(ties.toSorted())
          const times = new Map(expected.map(({ traceId, at }) => [traceId, at]))
          const order = listed.map((traceId) => times.get(traceId)!)
          expect(order).toEqual(order.toSorted((a, b) => Number(b - a)))
        }),
        { numRuns: 40 },
      )
    })
  })
}

const noCounts = {
  ...{ evaluatorId, name: 'quality', ties: 0 },
  ...{ bothPassed: 0, bothFailed: 0, falsePasses: 0, falseFails: 0 },
}

function modelOf(scores: readonly Score[], traceIds: readonly string[]) {
  const counts = { bothPassed: 0, bothFailed: 0, falsePasses: 0, falseFails: 0 }
  const expected: { traceId: string; at: bigint }[] = []
  const ties: string[] = []
  for (const traceId of traceIds) {
    const own = scores.filter((one) => one.traceId === traceId).toSorted(newestFirst)
    const verdict = own.find(({ source }) => source === 'evaluator')
    const people = own.filter(({ source }) => source === 'person')
    if (verdict === undefined || people.length === 0) continue
    const passes = people.filter(({ passed }) => passed).length
    const balance = passes - (people.length - passes)
    if (balance === 0) ties.push(traceId)
    else if (balance > 0) counts[verdict.passed ? 'bothPassed' : 'falseFails'] += 1
    else counts[verdict.passed ? 'falsePasses' : 'bothFailed'] += 1
    if (balance !== 0 && verdict.passed !== balance > 0)
      expected.push({ traceId, at: people[0]!.createdAt })
  }
  return { counts: { ...counts, ties: ties.length }, expected, ties }
}

function newestFirst(a: Score, b: Score): number {
  return a.createdAt === b.createdAt ? compareIds(b.id, a.id) : Number(b.createdAt - a.createdAt)
}
