import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { leftOutNotice, loadFitting, roomOf } from './fit-context.ts'

/** How many of the messages are loaded, how many requested, and the room that they take. */
async function fit(lengths: readonly number[], room: number) {
  let requested = 0
  function* messages() {
    for (const length of lengths) {
      requested += 1
      yield { length, load: () => length }
    }
  }
  const loaded = await loadFitting(messages(), room)
  expect(loaded).toEqual(lengths.slice(0, loaded.length))
  return { count: loaded.length, requested, length: loaded.reduce((sum, one) => sum + one, 0) }
}

describe('the context of a model', () => {
  test.each([
    ['all that fits', [1000, 1000], 2000, 2],
    ['the newest', [1000, 1000], 1999, 1],
    ['none after one that is too long', [9999, 1], 2250, 0],
    ['nothing earlier', [1], 0, 0],
    ['an empty conversation', [], 0, 0],
  ])('has %s', async (_case, lengths, room, count) => {
    expect((await fit(lengths, room)).count).toBe(count)
  })

  test('leaves room for the reply', () => {
    expect([roomOf(1000), roomOf(200_000)]).toEqual([2250, 552_000])
  })

  test('never exceeds the room, leaves out nothing that would fit, and reads no further', async () => {
    const lengths = fc.array(fc.nat(50_000), { maxLength: 50 })
    await fc.assert(
      fc.asyncProperty(lengths, fc.nat(600_000), async (all, room) => {
        const { count, requested, length } = await fit(all, room)
        expect(length).toBeLessThanOrEqual(room)
        expect(requested).toBe(Math.min(count + 1, all.length))
        const next = all[count]
        if (next !== undefined) expect(length + next).toBeGreaterThan(room)
      }),
    )
  })

  test('reports how many messages were left out', () => {
    expect(leftOutNotice(1)).toMatch(/^The oldest message was left out/)
    expect(leftOutNotice(12)).toMatch(/^The 12 oldest messages were left out/)
  })
})
