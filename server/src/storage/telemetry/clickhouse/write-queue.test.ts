import { ClickHouseError } from '@clickhouse/client'
import { expect, test } from 'vitest'
import { Unavailable } from '../../../platform/failure.ts'
import { storeTogether } from './write-queue.ts'

/** Stores a group of which one batch fails with this error; returns the groups in which it was stored, and what became of it. */
async function store(error: unknown) {
  const groups: string[] = []
  const group = ['a', 'bad', 'c'].map((batch) => {
    return { batch, outcome: Promise.withResolvers<string>() }
  })
  const outcomes = Promise.allSettled(group.map(({ outcome }) => outcome.promise))
  await storeTogether(group, async (batches) => {
    groups.push(batches.join())
    if (batches.includes('bad')) throw error
    return batches
  })
  const settled = (await outcomes).map((one) => (one.status === 'fulfilled' ? 'stored' : 'refused'))
  return { groups, settled }
}

const codeOf = (code: string) => new ClickHouseError({ message: 'It fails.', code, type: 'FAILS' })

test.each([
  ['a row that cannot be parsed', codeOf('27')],
  ['a value that does not fit', codeOf('69')],
  ['a defect', new TypeError('It is wrong.')],
])('of a group that fails because of %s, the other batches are stored', async (_cause, error) => {
  expect(await store(error)).toEqual({
    groups: ['a,bad,c', 'a', 'bad', 'c'],
    settled: ['stored', 'refused', 'stored'],
  })
})

test.each([
  ['that cannot be reached', new Unavailable('It is down.', 2)],
  ['without memory', codeOf('173')],
  ['whose disk fails', codeOf('76')],
  ['with an error of any other kind', codeOf('1001')],
])(
  'a group that fails because of a server %s is not sent again batch by batch',
  async (_server, error) => {
    expect(await store(error)).toEqual({
      groups: ['a,bad,c'],
      settled: ['refused', 'refused', 'refused'],
    })
  },
)
