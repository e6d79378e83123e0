import type { Trace } from '@assay/contract/traces.ts'
import { expect, test } from 'vitest'
import { parseTags } from '../../form/parse-tags.ts'
import { changeTags, listTags } from './change-tags.ts'

test('tags are separated by commas, without empty and repeated ones', () => {
  expect(parseTags(' eu, very urgent ,,eu,')).toEqual(['eu', 'very urgent'])
  expect(parseTags('')).toEqual([])
})

test('a changed trace has the added tags once, and not the removed ones', () => {
  const trace = { trace_id: 'a', tags: ['eu', 'old'] } as unknown as Trace
  const { tags } = changeTags(trace, { add: ['eu', 'new'], remove: ['old'] })
  expect(tags).toEqual(['eu', 'new'])
})

test('the tags of several traces are listed by how many have them', () => {
  expect(listTags([{ tags: ['a', 'b'] }, { tags: ['b'] }])).toEqual(['b', 'a'])
})
