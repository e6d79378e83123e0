import { expect, test } from 'vitest'
import { recorded } from '../../test/recorded.ts'
import { hasTokens } from '../domain/span-tree.ts'
import { cacheSenders, isCacheApart } from './cache-senders.ts'

test.each(cacheSenders)(
  '$scope is listed with a recording of its counts',
  ({ scope, spanNames, recording, ...sender }) => {
    const spans = recorded(`${recording}.pb.gz`).filter(
      ({ sdk, name }) => sdk?.split(' ')[0] === scope && (spanNames?.test(name) ?? true),
    )
    expect(spans.some((span) => hasTokens(span) && (span.tokensCacheRead ?? 0) > 0)).toBe(true)
    for (const { name } of spans) expect(isCacheApart(scope, name)).toBe(sender.isCacheApart)
  },
)
