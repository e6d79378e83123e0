import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { idsOf, labels, type OpenStore, span, storeHelpers, watchIds } from './samples.ts'
import type { TelemetryStore } from './store.ts'

/*
 * What trace-tags.ts promises, as tests.
 */

export function describeTraceTags(open: OpenStore): void {
  describe('tags that people change', () => {
    let store: TelemetryStore
    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store.close())

    const { record, everyTrace } = storeHelpers(() => store)
    const tagsOf = async (projectId: string) => (await store.findTrace(projectId, 'trace'))?.tags
    const sent = (...tags: string[]) => ({ labels: labels({ tags }) })

    test('are found by filters, and those that are removed are not', async () => {
      const [mine, theirs] = [randomUUID(), randomUUID()]
      for (const projectId of [mine, theirs]) await record(projectId, [span('a')], sent('old'))
      const changes = { added: ['new'], removed: ['old'] }
      expect(await store.changeTags(mine, ['trace', 'none'], changes)).toEqual(['trace'])
      expect(await tagsOf(mine)).toEqual(['new'])
      expect(idsOf(await everyTrace(mine, { tags: ['new'] }))).toEqual(['trace'])
      expect(await everyTrace(mine, { tags: ['old'] })).toEqual([])
      expect(await tagsOf(theirs)).toEqual(['old'])
      expect(await store.changeTags(randomUUID(), ['trace'], changes)).toEqual([])
    })

    test('stay when spans are recorded again, beside new tags of batches', async () => {
      const projectId = randomUUID()
      await record(projectId, [span('a')], sent('old'))
      await store.changeTags(projectId, ['trace'], { added: ['mine'], removed: ['old'] })
      await record(projectId, [span('b')], sent('old', 'sent'))
      expect(await tagsOf(projectId)).toEqual(['mine', 'sent'])
      expect((await store.findTrace(projectId, 'trace'))?.spanCount).toBe(2)
    })

    test('apply to tags that spans report, and can be changed back', async () => {
      const projectId = randomUUID()
      await record(projectId, [span('a', { tags: '["reported"]' as never })])
      await store.changeTags(projectId, ['trace'], { added: [], removed: ['reported'] })
      expect(await tagsOf(projectId)).toEqual([])
      await store.changeTags(projectId, ['trace'], { added: ['reported'], removed: [] })
      expect(await tagsOf(projectId)).toEqual(['reported'])
    })

    test('of many traces, one of them large, are changed and reported to watchers', async () => {
      const projectId = randomUUID()
      const large = Array.from({ length: 2500 }, (_, n) => span(`s${n}`, { traceId: 'large' }))
      await record(projectId, [...large, span('a'), span('b', { traceId: 'other' })])
      const { reported, end } = watchIds(store, projectId)
      const ids = ['large', 'trace', 'other']
      const seen = { added: ['seen'], removed: [] }
      expect(await store.changeTags(projectId, ids, seen)).toEqual(ids)
      end()
      expect(reported.toSorted()).toEqual(ids.toSorted())
      const found = idsOf(await everyTrace(projectId, { tags: ['seen'] }))
      expect(found.toSorted()).toEqual(ids.toSorted())
    })

    test('move with the trace', async () => {
      const [from, to] = [randomUUID(), randomUUID()]
      await record(from, [span('a')], sent('old'))
      await store.changeTags(from, ['trace'], { added: ['kept'], removed: ['old'] })
      await store.moveTraces(to, from, ['trace'])
      await record(to, [span('b')], sent('old'))
      expect(await tagsOf(to)).toEqual(['kept'])
    })
  })
}
