import type { SavedView } from '@assay/contract/saved-views.ts'
import { describe, expect, test } from 'vitest'
import { findView, problemOfView, queryOfView, searchOfView } from './view-query.ts'

const view = (name: string, query: string): SavedView => ({
  id: name,
  name,
  query,
  created_at: '2026-11-20T10:00:00.000Z',
})

describe('a saved view', () => {
  test('restores the filters and columns it was saved with, but not the live state', () => {
    const search = { status: 'ERROR', tag: ['eu', 'vip'], min_cost_usd: 0.5 } as const
    const query = queryOfView({ ...search, columns: 'name,cost', live: 'off' })
    expect(searchOfView(view('expensive', query))).toEqual({ ...search, columns: 'name,cost' })
  })

  test('is found regardless of the order of its parameters', () => {
    const views = [view('all', ''), view('errors', 'status=ERROR&model=gpt-5')]
    expect(findView(views, { model: 'gpt-5', status: 'ERROR', live: 'off' })?.name).toBe('errors')
    expect(findView(views, {})?.name).toBe('all')
    expect(findView(views, { columns: 'name,cost' })?.name).toBe('all')
    expect(findView(views, { status: 'ERROR' })).toBeUndefined()
  })

  const hundred = Array.from({ length: 100 }, (_, at) => view(`view ${at}`, ''))
  test.each([
    ['a name', 'errors', 'status=ERROR', [], undefined],
    ['no name', '', 'status=ERROR', [], /Enter a name/],
    ['a name that is too long', 'x'.repeat(129), '', [], /128 characters/],
    ['too many filters', 'errors', 'x'.repeat(4097), [], /too long/],
    ['the limit of views reached', 'errors', '', hundred, /100 views.*Delete one/],
    ['an existing name at the limit', 'view 7', '', hundred, undefined],
  ])('with %s', (_situation, name, query, views, problem) => {
    const found = problemOfView(name, query, views)
    if (problem === undefined) expect(found).toBeUndefined()
    else expect(found).toMatch(problem)
  })
})
