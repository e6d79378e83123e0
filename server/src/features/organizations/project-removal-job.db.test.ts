import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestAccounts, type TestAccounts } from '../../../test/accounts-database.ts'
import { chatMessageRow, conversationRow, insertRows } from '../../../test/conversation-rows.ts'
import { eventually } from '../../../test/eventually.ts'
import { openTestClock, openTestRunner, type TestClock } from '../../../test/job-runners.ts'
import { addTenant, type Tenant } from '../../../test/people.ts'
import { commandLineActor } from '../../accounts/audit.ts'
import { removeProject } from '../../accounts/remove-project.ts'
import type { JobRunner } from '../../jobs/runner.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'
import { projectRemovalJob } from './project-removal-job.ts'

const minuteMs = 60_000

let opened: TestAccounts
let clock: TestClock
let acme: Tenant
let isBroken: boolean
/** The parts of the project's telemetry. */
let parts: number
let runner: JobRunner

beforeEach(async () => {
  opened = await openTestAccounts('SQLite')
  clock = openTestClock()
  acme = await addTenant(opened.accounts)
  isBroken = false
  parts = 5
})
afterEach(async () => {
  await runner.stop()
  await opened.remove()
})

function open(): JobRunner {
  const telemetry: Pick<TelemetryStore, 'removeProject'> = {
    async removeProject(projectId) {
      if (isBroken) throw new Error('a defect')
      if (projectId !== acme.projectId || parts === 0) return 'removed'
      parts -= 1
      return 'more'
    },
  }
  const job = projectRemovalJob(telemetry, opened.accounts.conversations)
  return openTestRunner(opened.accounts, clock, job)
}

const remove = async (confirm = 'project') =>
  removeProject(acme.projectId, confirm, commandLineActor, await clock.now(), opened.accounts)
const job = async () => (await opened.query('select state, position, worker from jobs'))[0]
const inState = (expected: object) =>
  eventually(async () => expect(await job()).toMatchObject(expected))
/** Between the two passes. */
const waiting = { state: 'running', position: '{"pass":2}', worker: null }

test('the telemetry of a removed project is removed, and again once no request can add to it', async () => {
  await remove()
  runner = open()
  await inState(waiting)
  expect(parts).toBe(0)
  parts = 1
  clock.advance(10 * minuteMs)
  runner.wake()
  await inState({ state: 'completed' })
  expect(parts).toBe(0)
})

test('the conversations of a removed project are removed, and again once no request can add to it', async () => {
  const other = await addTenant(opened.accounts)
  const add = async ({ projectId, members }: Tenant) => {
    const row = conversationRow({ project_id: projectId, user_id: members.Viewer.id })
    await insertRows(opened, 'conversations', [row])
    await insertRows(opened, 'chat_messages', [chatMessageRow(row.id)])
    return row.id
  }
  for (let n = 0; n < 5; n += 1) await add(acme)
  const kept = await add(other)
  const left = () => opened.query('select conversation_id from chat_messages')
  await remove()
  runner = open()
  await inState(waiting)
  expect(await left()).toEqual([{ conversation_id: kept }])
  await add(acme)
  clock.advance(10 * minuteMs)
  runner.wake()
  await inState({ state: 'completed' })
  expect(await left()).toEqual([{ conversation_id: kept }])
})

test('a removal continues after any failure, and in another process', async () => {
  isBroken = true
  await remove()
  runner = open()
  await inState({ position: null, worker: null })
  await runner.stop()
  expect(parts).toBe(5)
  isBroken = false
  clock.advance(minuteMs)
  runner = open()
  await inState(waiting)
  expect(parts).toBe(0)
})

test('a removal that is refused queues nothing', async () => {
  runner = open()
  await expect(remove('another')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  expect(await job()).toBeUndefined()
})
