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
  test('shows the filters and columns it was saved with, and is followed as the list was before', () => {
    const search = { status: 'ERROR', tag: ['eu', 'vip'], min_cost_usd: 0.5 } as const
    const query = queryOfView({ ...search, columns: 'name,cost', live: 'off' })
    expect(searchOfView(view('dear', query))).toEqual({ ...search, columns: 'name,cost' })
  })

  test('is found again whatever the order of its parameters', () => {
    const views = [view('all', ''), view('errors', 'status=ERROR&model=gpt-5')]
    expect(findView(views, { model: 'gpt-5', status: 'ERROR', live: 'off' })?.name).toBe('errors')
    expect(findView(views, {})?.name).toBe('all')
    expect(findView(views, { columns: 'name,cost' })?.name).toBe('all')
    expect(findView(views, { status: 'ERROR' })).toBeUndefined()
  })

  const hundred = Array.from({ length: 100 }, (_, at) => view(`view ${at}`, ''))
  test.each([
    ['a name', 'errors', 'status=ERROR', [], undefined],
    ['no name', '', 'status=ERROR', [], /Give it a name/],
    ['too long a name', 'x'.repeat(129), '', [], /128 characters/],
    ['too many filters', 'errors', 'x'.repeat(4097), [], /too long/],
    ['as many views as there can be', 'errors', '', hundred, /100 views.*Remove one/],
    ['the name of one of as many as there can be', 'view 7', '', hundred, undefined],
  ])('with %s', (_situation, name, query, views, problem) => {
    const found = problemOfView(name, query, views)
    if (problem === undefined) expect(found).toBeUndefined()
    else expect(found).toMatch(problem)
  })
})
