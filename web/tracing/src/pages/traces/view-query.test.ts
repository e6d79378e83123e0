import type { SavedView } from '@assay/contract/saved-views.ts'
import { describe, expect, test } from 'vitest'
import { findView, queryOfView, searchOfView } from './view-query.ts'

const view = (name: string, query: string): SavedView => ({
  page: 'traces',
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
})
