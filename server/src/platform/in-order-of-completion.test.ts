import { expect, test } from 'vitest'
import { inOrderOfCompletion } from './in-order-of-completion.ts'

/** Work that ends when the test says so. */
function controlled() {
  const started: number[] = []
  const ends = new Map<number, () => void>()
  return {
    started,
    end: (item: number) => ends.get(item)?.(),
    async work(item: number) {
      started.push(item)
      await new Promise<void>((resolve) => ends.set(item, resolve))
      return item
    },
  }
}

test('yields results as they arrive, and starts the next item when one is taken', async () => {
  const { started, end, work } = controlled()
  const results = inOrderOfCompletion([1, 2, 3], 2, work)
  const first = results.next()
  expect(started).toEqual([1, 2])
  end(2)
  expect(await first).toEqual({ done: false, value: 2 })
  expect(started).toEqual([1, 2])
  const second = results.next()
  expect(started).toEqual([1, 2, 3])
  end(3)
  expect(await second).toEqual({ done: false, value: 3 })
  const third = results.next()
  end(1)
  expect(await third).toEqual({ done: false, value: 1 })
  expect(await results.next()).toEqual({ done: true, value: undefined })
})

test.each(['the consumer stops', 'one fails'])('waits for what is running when %s', async (how) => {
  const { end, work } = controlled()
  const fails = how === 'one fails'
  const results = inOrderOfCompletion([1, 2, 3], 3, (item) =>
    fails && item === 3 ? Promise.reject(new Error('lost')) : work(item),
  )
  let hasEnded = false
  const first = results.next()
  if (!fails) {
    end(1)
    await first
  }
  const ended = (fails ? first : results.return(undefined)).then(
    () => (hasEnded = true),
    () => (hasEnded = true),
  )
  await new Promise((resolve) => setImmediate(resolve))
  expect(hasEnded).toBe(false)
  for (const item of [1, 2, 3]) end(item)
  await ended
})
