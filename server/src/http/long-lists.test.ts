import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonPart } from './call.ts'
import { openLongLists } from './long-lists.ts'

const { signal } = new AbortController()
const by = (organizationId: string, userId: string) =>
  ({ requester: [organizationId, userId], signal }) as const
const textOf = ({ parts }: { readonly parts: readonly JsonPart[] }) =>
  parts.map((part) => (typeof part === 'string' ? part : Buffer.from(part).toString())).join('')

/** Resolves when the event loop has served everything that waits for it. */
const settled = () => new Promise((resolve) => setTimeout(resolve))

test('a list has all items in order', async () => {
  const read = openLongLists()
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 50 }),
      async (items) => {
        const list = await read(by('a', 'ann'), async () => items, JSON.stringify)
        expect(JSON.parse(textOf(list))).toEqual(items)
      },
    ),
    { numRuns: 30 },
  )
})

test('at most one list of an organization is in work, and the people of each take turns', async () => {
  const read = openLongLists()
  const started: string[] = []
  const ends: PromiseWithResolvers<void>[] = []
  const request = (organizationId: string, userId: string) =>
    read(
      by(organizationId, userId),
      async () => {
        started.push(`${organizationId} ${userId}`)
        const end = Promise.withResolvers<void>()
        ends.push(end)
        await end.promise
        return [1]
      },
      String,
    )
  const people = ['ann', 'ann', 'ann', 'bob', 'ann']
  const lists = [...people.map((one) => request('a', one)), request('b', 'cid')]
  await settled()
  expect(started).toEqual(['a ann', 'b cid'])
  for (let n = 0; n < lists.length; n += 1) {
    ends[n]?.resolve()
    await settled()
  }
  expect(started).toEqual(['a ann', 'b cid', 'a bob', 'a ann', 'a ann', 'a ann'])
  expect((await Promise.all(lists)).map(textOf)).toEqual(lists.map(() => '[1]'))
})

test('other requests are served between the items of a list', async () => {
  let inTurn = 0
  let most = 0
  const newTurn = () => {
    inTurn = 0
    other = setImmediate(newTurn)
  }
  let other = setImmediate(newTurn)
  const items = Array.from({ length: 300 }, (_, i) => i)
  await openLongLists()(
    by('a', 'ann'),
    async () => items,
    (item) => {
      inTurn += 1
      most = Math.max(most, inTurn)
      return String(item)
    },
  )
  clearImmediate(other)
  expect(most).toBeLessThanOrEqual(20)
})

test('nothing more is read or serialized for a client that has gone', async () => {
  const read = openLongLists()
  const gone = new AbortController()
  const reason = new Error('gone')
  let serialized = 0
  const items = Array.from({ length: 300 }, (_, i) => i)
  const own = { requester: ['a', 'ann'], signal: gone.signal } as const
  const toJson = (item: number) => {
    serialized += 1
    if (serialized === 5) gone.abort(reason)
    return String(item)
  }
  let reads = 0
  const requests = Array.from({ length: 3 }, () =>
    read(
      own,
      async () => {
        reads += 1
        return items
      },
      toJson,
    ),
  )
  const outcomes = await Promise.allSettled(requests)
  expect(outcomes).toEqual(requests.map(() => ({ status: 'rejected', reason })))
  expect(reads).toBe(1)
  expect(serialized).toBeLessThan(items.length / 2)
  expect(textOf(await read(by('a', 'ann'), async () => [1, 2], String))).toBe('[1,2]')
})

test('when too many lists wait, the newest of the person with most of them is refused', async () => {
  const read = openLongLists()
  const end = Promise.withResolvers<void>()
  const request = (userId: string) =>
    read(
      by('a', userId),
      async () => {
        await end.promise
        return []
      },
      String,
    )
  const many = Array.from({ length: 1001 }, () => request('ann'))
  const newest = many.pop()
  const other = request('bob')
  await expect(newest).rejects.toThrow('Too many long lists are being read.')
  end.resolve()
  expect(textOf(await other)).toBe('[]')
  expect(await Promise.all(many)).toHaveLength(1000)
})
