import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestAccounts, silent, type TestAccounts } from '../../../test/accounts-database.ts'
import { Unavailable } from '../../platform/failure.ts'
import { openRemovedProjects, type RemovedProjects } from './removed-projects.ts'

const removedAt = '2026-05-01T08:00:00.000Z'
const minuteMs = 60_000

let opened: TestAccounts
let now: number
/** The steps that are left of each project. */
let remaining: Map<string, number>
let isBroken: boolean
let steps: number
let removed: RemovedProjects

beforeEach(async () => {
  opened = await openTestAccounts('SQLite')
  now = Date.parse(removedAt)
  remaining = new Map()
  isBroken = false
  steps = 0
  removed = open()
})
afterEach(() => opened.remove())

function open(): RemovedProjects {
  return openRemovedProjects({
    accounts: opened.accounts,
    clock: { now: () => new Date(now) },
    log: silent,
    telemetry: {
      async removeProject(projectId) {
        if (isBroken) throw new Unavailable('The disk is full.', 1)
        steps += 1
        const now = remaining.get(projectId) ?? 0
        remaining.set(projectId, Math.max(0, now - 1))
        return now > 0 ? 'more' : 'removed'
      },
    },
  })
}

const note = (project_id: string) =>
  opened.accounts.removedProjects.insert({ project_id, removed_at: removedAt })
const noted = async () => {
  const rows = await opened.accounts.removedProjects.list()
  return rows.map(({ project_id }) => project_id)
}
describe('the telemetry of removed projects', () => {
  test('is taken away to the last step, and once more when no request can have added to it', async () => {
    await note('one')
    remaining.set('one', 5)
    await removed.sweep()
    expect(remaining.get('one')).toBe(0)
    expect(await noted()).toEqual(['one'])
    remaining.set('one', 1)
    now += 11 * minuteMs
    await removed.sweep()
    expect(remaining.get('one')).toBe(0)
    expect(await noted()).toEqual([])
    await removed.stop()
  })

  test('is gone on with after a failure, and after the end of the process', async () => {
    await note('one')
    remaining.set('one', 3)
    isBroken = true
    await removed.sweep()
    expect(await noted()).toEqual(['one'])
    await removed.stop()
    isBroken = false
    removed = open()
    now += 11 * minuteMs
    await removed.sweep()
    expect(remaining.get('one')).toBe(0)
    expect(await noted()).toEqual([])
    await removed.stop()
  })

  test('a stop waits for the step under way and begins no other', async () => {
    await note('one')
    remaining.set('one', 1_000_000)
    void removed.sweep()
    while (steps === 0) await new Promise((resolve) => setImmediate(resolve))
    await removed.stop()
    const taken = steps
    await removed.sweep()
    expect(steps).toBe(taken)
    expect(await noted()).toEqual(['one'])
  })
})
