import type { ChatEvent } from '@assay/contract/chat-stream.ts'
import { expect, test } from 'vitest'
import { type EventList, openEventList } from './event-list.ts'

const open = (signal = new AbortController().signal) => signal

async function readAll(list: EventList): Promise<ChatEvent[]> {
  return await Array.fromAsync(list.read(open()))
}

/** Of an event with the text, as it is sent. */
const sizeOf = (delta: string) => Buffer.byteLength(JSON.stringify({ type: 'text', delta }))

function fill(list: EventList, ...deltas: readonly string[]): void {
  for (const delta of deltas) list.append({ type: 'text', delta })
}

test('every reader gets all events from the first one, numbered from 0', async () => {
  const list = openEventList({ mergeMs: 0 })
  fill(list, 'a')
  const early = readAll(list)
  fill(list, 'b')
  list.append({ type: 'notice', message: 'n' })
  list.close()
  const expected = [
    { type: 'text', delta: 'a', seq: 0 },
    { type: 'text', delta: 'b', seq: 1 },
    { type: 'notice', message: 'n', seq: 2 },
  ]
  expect(await early).toEqual(expected)
  expect(await readAll(list)).toEqual(expected)
})

test('the first delta is passed on at once, and those soon after it become one event of each type', async () => {
  const list = openEventList({ mergeMs: 1e6 })
  fill(list, 'a')
  const reader = list.read(open())[Symbol.asyncIterator]()
  expect((await reader.next()).value).toEqual({ type: 'text', delta: 'a', seq: 0 })
  fill(list, 'b', 'c')
  list.append({ type: 'reasoning', delta: 'd' })
  fill(list, 'e')
  list.close()
  const rest = (await readAll(list)).slice(1)
  expect(rest.map((event) => [event.type, 'delta' in event && event.delta])).toEqual([
    ['text', 'bc'],
    ['reasoning', 'd'],
    ['text', 'e'],
  ])
})

test('deltas whose types alternate become few events, and none is lost', async () => {
  const list = openEventList({ mergeMs: 1e6, mergeLength: 100 })
  for (let count = 0; count < 1000; count += 1) {
    fill(list, 'a')
    list.append({ type: 'reasoning', delta: 'b' })
  }
  list.close()
  const events = await readAll(list)
  const joined = (type: ChatEvent['type']) =>
    events.map((event) => (event.type === type && 'delta' in event ? event.delta : '')).join('')
  expect(events.length).toBeLessThan(50)
  expect([joined('text'), joined('reasoning')]).toEqual(['a'.repeat(1000), 'b'.repeat(1000)])
})

test('merged deltas are passed on when the time is up, or they are long', async () => {
  const list = openEventList({ mergeMs: 5, mergeLength: 4 })
  const reader = list.read(open())[Symbol.asyncIterator]()
  fill(list, 'a', 'b')
  expect((await reader.next()).value).toMatchObject({ delta: 'a' })
  expect((await reader.next()).value).toMatchObject({ delta: 'b' })
  fill(list, 'c', 'd', 'efgh')
  const last = (await reader.next()).value as ChatEvent
  expect('delta' in last && last.delta.endsWith('efgh')).toBe(true)
})

test('a reader that is too far behind is let go, and others are not', async () => {
  const list = openEventList({ mergeMs: 0, behindBytes: 3 * sizeOf('12345') })
  const slow = list.read(open())[Symbol.asyncIterator]()
  const fast = list.read(open())[Symbol.asyncIterator]()
  fill(list, 'a')
  await slow.next()
  await fast.next()
  for (const delta of ['12345', '\u0001', 'äöü!', 'x']) {
    fill(list, delta)
    await fast.next()
  }
  expect(await slow.next()).toEqual({ done: true, value: undefined })
  list.close()
  expect((await fast.next()).done).toBe(true)
  expect(await readAll(list)).toHaveLength(5)
})

test('what was there before a reader came does not count as behind', async () => {
  const list = openEventList({ mergeMs: 0, behindBytes: sizeOf('z'.repeat(10)) })
  fill(list, 'x'.repeat(100), 'y'.repeat(100))
  const late = list.read(open())[Symbol.asyncIterator]()
  await late.next()
  fill(list, 'z'.repeat(10))
  expect((await late.next()).value).toMatchObject({ delta: 'y'.repeat(100) })
})

test('a reader that leaves ends at once', async () => {
  const list = openEventList()
  const leaving = new AbortController()
  const reading = Array.fromAsync(list.read(leaving.signal))
  leaving.abort()
  expect(await reading).toEqual([])
})
