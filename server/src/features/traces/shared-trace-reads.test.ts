import { expect, test } from 'vitest'
import { Unavailable } from '../../platform/failure.ts'
import type { ReadOptions } from '../../storage/telemetry/port/read-options.ts'
import { shareTraceReads } from './shared-trace-reads.ts'

/*
 * Live streams of a project that read the same traces.
 */

const projectId = 'project'
const ana = { requester: ['organization', 'ana'] } as const
const ben = { requester: ['organization', 'ben'] } as const

/** Each read of a trace returns how often it has been read; `beforeResult` may delay or refuse one. */
function openReads(
  beforeResult: (options: ReadOptions) => Promise<void> = () => Promise.resolve(),
) {
  const times = new Map<string, number>()
  const shared = shareTraceReads(async (_projectId, traceIds, options) => {
    const found = traceIds.map((id): [string, string] => {
      times.set(id, (times.get(id) ?? 0) + 1)
      return [id, `${id} ${times.get(id)}`]
    })
    await beforeResult(options)
    return new Map(found)
  })
  return { shared, times }
}

test('a trace is read once for all streams of its project', async () => {
  const { shared, times } = openReads()
  const streams = Array.from({ length: 50 }, () => shared.read(projectId, ['a', 'b'], ana))
  for (const found of await Promise.all(streams)) expect(found).toEqual(['a 1', 'b 1'])
  expect(await shared.read(projectId, ['b', 'c'], ben)).toEqual(['b 1', 'c 1'])
  expect([...times.values()]).toEqual([1, 1, 1])
})

test('a trace that has changed is read again, also while it is being read', async () => {
  const { shared } = openReads()
  const first = shared.read(projectId, ['a', 'b'], ana)
  shared.forget(projectId, ['a'])
  expect(await shared.read(projectId, ['b', 'a'], ben)).toEqual(['b 1', 'a 2'])
  expect(await first).toEqual(['a 1', 'b 1'])
  shared.forget(projectId, null)
  expect(await shared.read(projectId, ['a', 'b'], ben)).toEqual(['a 3', 'b 2'])
})

test('another project reads its own', async () => {
  const { shared, times } = openReads()
  await shared.read(projectId, ['a'], ana)
  await shared.read('another', ['a'], ana)
  expect(times.get('a')).toBe(2)
})

test('a read that is refused for one person does not end the streams of others', async () => {
  const { shared } = openReads(async ({ requester }) => {
    if (requester === ana.requester) throw new Unavailable('Too many queries are waiting.', 1)
  })
  const ofAna = shared.read(projectId, ['a'], ana)
  const ofBen = shared.read(projectId, ['a'], ben)
  await expect(ofAna).rejects.toThrow(Unavailable)
  expect(await ofBen).toEqual(['a 2'])
})

test('a stream that ends does not wait for its read, and others get the result', async () => {
  const go = Promise.withResolvers<void>()
  const { shared } = openReads(() => go.promise)
  const ending = new AbortController()
  const ended = shared.read(projectId, ['a'], { ...ana, signal: ending.signal })
  const other = shared.read(projectId, ['a'], ben)
  ending.abort(new Error('The client has gone.'))
  await expect(ended).rejects.toThrow('The client has gone.')
  go.resolve()
  expect(await other).toEqual(['a 1'])
})
