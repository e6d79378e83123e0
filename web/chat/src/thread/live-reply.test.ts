import type { ChatEvent } from '@assay/contract/chat-stream.ts'
import { describe, expect, test } from 'vitest'
import { openLiveReply } from './live-reply.ts'

function frames() {
  const waiting: (() => void)[] = []
  return {
    nextFrame: (act: () => void) => void waiting.push(act),
    paint: () => {
      for (const act of waiting.splice(0)) act()
    },
  }
}

const text = (delta: string): ChatEvent => ({ type: 'text', seq: 0, delta })

describe('a live reply', () => {
  test('notifies once per frame, however many tokens arrive', () => {
    const { nextFrame, paint } = frames()
    const reply = openLiveReply(nextFrame)
    let notified = 0
    reply.subscribe(() => {
      notified += 1
    })
    for (const delta of ['a', 'b', 'c']) reply.apply(text(delta))
    expect(reply.getState().text).toBe('')
    paint()
    expect([reply.getState().text, notified]).toEqual(['abc', 1])
  })

  test('keeps the text that was shown until a replay has caught up', () => {
    const { nextFrame, paint } = frames()
    const reply = openLiveReply(nextFrame)
    reply.apply(text('Hello, '))
    reply.apply(text('world'))
    paint()
    reply.setReconnecting()
    paint()
    expect(reply.getState()).toMatchObject({ text: 'Hello, world', isReconnecting: true })
    reply.restart()
    reply.apply(text('Hello, '))
    paint()
    expect(reply.getState()).toMatchObject({ text: 'Hello, world', isReconnecting: false })
    reply.apply(text('world!'))
    paint()
    expect(reply.getState().text).toBe('Hello, world!')
  })

  test('shows what a replay has where it differs', () => {
    const { nextFrame, paint } = frames()
    const reply = openLiveReply(nextFrame)
    reply.apply(text('Hello'))
    paint()
    reply.restart()
    reply.apply(text('Hi'))
    paint()
    expect(reply.getState().text).toBe('Hi')
  })
})
