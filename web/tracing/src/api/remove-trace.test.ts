import { QueryClient, type QueryKey } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { commentsQuery } from './comments.ts'
import { dropCachedTrace } from './remove-trace.ts'
import { spanQuery, traceQuery } from './traces.ts'

const listKeys = (traceId: string): readonly QueryKey[] => [
  traceQuery('acme', traceId).queryKey,
  spanQuery('acme', traceId, 'agent').queryKey,
  commentsQuery('acme', traceId).queryKey,
]

test('a deleted trace leaves nothing in the cache, and other traces stay', () => {
  const client = new QueryClient()
  for (const key of [...listKeys('deleted'), ...listKeys('other')]) client.setQueryData(key, {})
  dropCachedTrace(client, 'acme', 'deleted')
  const cached = client.getQueryCache().getAll()
  expect(cached.map(({ queryKey }) => queryKey)).toEqual(listKeys('other'))
})
