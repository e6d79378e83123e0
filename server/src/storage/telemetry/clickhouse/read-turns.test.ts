import { describe, expect, test } from 'vitest'
import { openReadTurns } from './read-turns.ts'

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/** Reads that run until they are ended. */
function endlessReads() {
  const ends: (() => void)[] = []
  return {
    count: () => ends.length,
    run: () => new Promise<void>((resolve) => ends.push(resolve)),
    endAll: () => {
      for (const end of ends.splice(0)) end()
    },
  }
}

describe('turns of reads', () => {
  test('a quick read waits for no scan, however many organizations have some', async () => {
    const turns = openReadTurns({ processors: 8 })
    const scans = endlessReads()
    const running = Array.from({ length: 40 }, (_, i) =>
      turns.scan(`project ${i}`, {}, () => scans.run()),
    )
    await nextTurn()
    expect(await turns.lookup('project 0', {}, async () => 'found')).toBe('found')
    const ended = Promise.all(running)
    while (scans.count() > 0) {
      scans.endAll()
      await nextTurn()
    }
    await ended
  })

  test('sixteen scans of one person leave turns to another person and to another organization', async () => {
    const turns = openReadTurns({ processors: 8 })
    const scans = endlessReads()
    const requester = ['organization', 'person'] as const
    const running = Array.from({ length: 16 }, () =>
      turns.scan('project', { requester }, () => scans.run()),
    )
    await nextTurn()
    const started = scans.count()
    expect(started).toBeLessThan(16)
    for (const other of [
      ['organization', 'colleague'],
      ['another', 'stranger'],
    ] as const) {
      expect(await turns.scan('project', { requester: other }, async () => 'read')).toBe('read')
    }
    expect(scans.count()).toBe(started)
    const ended = Promise.all([...running, turns.drain()])
    while (scans.count() > 0) {
      scans.endAll()
      await nextTurn()
    }
    await ended
  })

  test('a small server gets fewer scans at once, each with its processors', async () => {
    const turns = openReadTurns({ processors: 2 })
    const scans = endlessReads()
    const given: (number | undefined)[] = []
    const running = Array.from({ length: 16 }, (_, i) =>
      turns.scan(`project ${i}`, {}, ({ processors }) => {
        given.push(processors)
        return scans.run()
      }),
    )
    await nextTurn()
    expect(given).toEqual([2, 2, 2, 2])
    const ended = Promise.all(running)
    while (scans.count() > 0) {
      scans.endAll()
      await nextTurn()
    }
    await ended
  })

  test('a read that waits for its turn ends at once when it is aborted, and leaves no place taken', async () => {
    const turns = openReadTurns({ processors: 8 })
    const scans = endlessReads()
    const running = Array.from({ length: 6 }, () => turns.scan('project', {}, () => scans.run()))
    const controller = new AbortController()
    const { signal } = controller
    const waiting = turns.scan('project', { signal }, () => Promise.resolve('too late'))
    const reason = new Error('no longer needed')
    controller.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    scans.endAll()
    await Promise.all([...running, turns.drain()])
  })
})
