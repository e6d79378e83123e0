import { exportSelectedTrajectories } from '@assay/contract/export.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { limits } from '@assay/contract/limits.ts'
import { tagTraces } from '@assay/contract/trace-management.ts'
import { listTraces } from '@assay/contract/traces.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { runningService, signedInPerTest, tenantPerTest } from '../../../test/service-suite.ts'

/*
 * Requests about a selection of traces.
 */

const service = runningService()
const tenant = tenantPerTest(service)
const owner = signedInPerTest(service, () => tenant.members.Owner)
const viewer = signedInPerTest(service, () => tenant.members.Viewer)

beforeEach(async () => {
  for (const trace_id of ['a', 'b', 'c']) {
    const spans = [{ span_id: 's', name: 'run', started_at: '2026-01-01T00:00:00Z' }]
    await service.call(ingestTrace, { body: { trace_id, tags: ['sent'], spans } }, tenant.keyHeader)
  }
})

const params = () => ({ projectId: tenant.projectId })
const tag = (body: object, as = owner) => service.call(tagTraces, { params: params(), body }, as)
const tagged = async (name: string) => {
  const args = { params: params(), query: { tag: name } }
  const { data } = await service.call(listTraces, args, owner)
  return data.map(({ trace_id }) => trace_id).toSorted()
}

describe('changing tags of traces', () => {
  test('adds and removes them, for those that exist', async () => {
    const body = { trace_ids: ['a', 'b', 'none'], add: ['reviewed'], remove: ['sent'] }
    expect((await tag(body)).data).toEqual({ tagged: ['a', 'b'] })
    expect(await tagged('reviewed')).toEqual(['a', 'b'])
    expect(await tagged('sent')).toEqual(['c'])
  })

  test.each([
    ['no traces', { trace_ids: [], add: ['x'] }],
    ['neither added nor removed tags', { trace_ids: ['a'] }],
    ['an empty tag', { trace_ids: ['a'], add: [''] }],
    ['a long tag', { trace_ids: ['a'], add: ['x'.repeat(limits.tagLength.value + 1)] }],
    ['too many traces', { trace_ids: Array.from({ length: 1001 }, () => 'a'), add: ['x'] }],
  ])('refuses %s, and changes nothing', async (_what, body) => {
    expect((await tag(body)).error.code).toBe('VALIDATION_ERROR')
    expect(await tagged('sent')).toEqual(['a', 'b', 'c'])
    expect(await tagged('x')).toEqual([])
  })

  test('is refused to viewers', async () => {
    expect((await tag({ trace_ids: ['a'], add: ['x'] }, viewer)).status).toBe(403)
    expect(await tagged('x')).toEqual([])
  })
})

describe('exporting chosen traces', () => {
  test('returns those that exist, in the order of the ids', async () => {
    const body = { trace_ids: ['c', 'none', 'a'] }
    const answer = await service.call(exportSelectedTrajectories, { params: params(), body }, owner)
    expect(answer.data.map((line) => line.trace_id)).toEqual(['c', 'a'])
    expect(answer.data[0]).toMatchObject({ tags: ['sent'], messages: [], tool_calls: [] })
  })
})
