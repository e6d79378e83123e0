import { beforeEach, describe, expect, inject, test } from 'vitest'
import { clockAt } from '../../../test/clock-at.ts'
import { eventually } from '../../../test/eventually.ts'
import { doSteps } from '../../../test/job-rows.ts'
import { openGate } from '../../../test/job-runners.ts'
import { runningService, tenantPerTest } from '../../../test/service-suite.ts'
import { startService } from '../../../test/started-app.ts'
import { commandLineActor, userActor } from '../../accounts/audit.ts'
import { newProject } from '../../accounts/project.ts'
import { systemClock } from '../../platform/clock.ts'
import { Unavailable } from '../../platform/failure.ts'
import { newId, newOrderedId } from '../../platform/ids.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import { span } from '../../storage/telemetry/port/samples.ts'
import {
  openTraceChanges,
  type TraceChanges,
  type TraceChangesPorts,
  traceChangesJob,
} from './trace-changes.ts'

const service = runningService()
const tenant = tenantPerTest(service)
let target: string

beforeEach(async () => {
  const { row } = newProject(tenant.organizationId, 'Other', 'other', '2026-01-01T00:00:00.000Z')
  await service.accounts.projects.insert(row)
  target = row.id
  const { telemetry } = service
  const spans = telemetry.encode([span('a')])
  await telemetry.record({ projectId: tenant.projectId, source: 'json', spans })
  await service.accounts.comments.insert({
    ...{ id: newOrderedId(), project_id: tenant.projectId, trace_id: 'trace' },
    ...{ author_id: null, text: 'a comment', created_at: '2026-01-01T00:00:00.000Z' },
  })
})

const opened = (ports: Partial<TraceChangesPorts> = {}) => {
  const { accounts, telemetry } = service
  return openTraceChanges({ accounts, telemetry, clock: systemClock, ...ports })
}
const { signal } = new AbortController()
const completePending = () => opened().completePending(new Date(), signal)
const remove = (ports?: Partial<TraceChangesPorts>) =>
  opened(ports).remove({
    ...{ projectId: tenant.projectId, traceId: 'trace' },
    event: {
      ...{ action: 'trace.removed', organizationId: tenant.organizationId, targetId: 'trace' },
      details: { project_id: tenant.projectId },
    },
    actor: userActor(tenant.members.Owner, {
      address: '127.0.0.1',
      userAgent: null,
      requestId: 'r',
    }),
  })
const move = (ports?: Partial<TraceChangesPorts>) =>
  opened(ports).move({
    ...{ projectId: target, fromProjectId: tenant.projectId, traceIds: ['trace'] },
    toEvent: (traceId) => ({
      ...{ action: 'trace.adopted', organizationId: tenant.organizationId, targetId: traceId },
      details: { project_id: target, from_project_id: tenant.projectId },
    }),
    actor: userActor(tenant.members.Owner, {
      address: '127.0.0.1',
      userAgent: null,
      requestId: 'r',
    }),
  })

/** The location of the trace and its comments, and the entries of the audit log. */
const state = async () => {
  const { accounts, telemetry } = service
  const of = async (projectId: string) => ({
    trace: (await telemetry.findTrace(projectId, 'trace')) !== undefined,
    comments: await accounts.comments.count(projectId, 'trace'),
  })
  const lines = await accounts.audit.list(tenant.organizationId, { limit: 9 })
  return {
    source: await of(tenant.projectId),
    target: await of(target),
    audit: lines.map(({ action, actor_id, details }) => ({ action, actor_id, details })),
  }
}
const absent = { trace: false, comments: 0 }
const present = { trace: true, comments: 1 }
const removed = () => ({
  ...{ source: absent, target: absent },
  audit: [
    {
      ...{ action: 'trace.removed', actor_id: tenant.members.Owner.id },
      details: JSON.stringify({ project_id: tenant.projectId }),
    },
  ],
})
const moved = () => ({
  ...{ source: absent, target: present },
  audit: [
    {
      ...{ action: 'trace.adopted', actor_id: tenant.members.Owner.id },
      details: JSON.stringify({ project_id: target, from_project_id: tenant.projectId }),
    },
  ],
})

const crash = () => Promise.reject(new Error('killed'))

/** Ports with which the process ends at one point of a change. */
const crashes: Readonly<Record<string, () => Partial<TraceChangesPorts>>> = {
  'before the telemetry is changed': () => ({
    telemetry: { ...service.telemetry, removeTrace: crash, moveTraces: crash },
  }),
  'after the telemetry is changed': () => ({
    telemetry: {
      ...service.telemetry,
      removeTrace: (...args) => service.telemetry.removeTrace(...args).then(crash),
      moveTraces: (...args) => service.telemetry.moveTraces(...args).then(crash),
    },
  }),
  'before the audit log is written': () => ({
    accounts: { ...service.accounts, transaction: crash },
  }),
}

describe.each(Object.entries(crashes))('a process that ends %s', (_when, ports) => {
  test('has its removal completed and recorded once, with the comments', async () => {
    await expect(remove(ports())).rejects.toThrow('killed')
    expect((await state()).audit).toEqual([])
    await Promise.all([completePending(), completePending()])
    expect(await state()).toEqual(removed())
    await completePending()
    expect(await state()).toEqual(removed())
  })

  test('has its move completed and recorded once, with the comments', async () => {
    await expect(move(ports())).rejects.toThrow('killed')
    expect((await state()).audit).toEqual([])
    await Promise.all([completePending(), completePending()])
    expect(await state()).toEqual(moved())
    await completePending()
    expect(await state()).toEqual(moved())
  })
})

/** A store that moves in two steps, and is interrupted between them in the first call. */
function inTwoSteps(): TraceChangesPorts['telemetry'] {
  const { telemetry } = service
  let isCopied = false
  return {
    ...telemetry,
    async moveTraces(projectId, fromProjectId, traceIds) {
      if (!isCopied) {
        isCopied = true
        await telemetry.record({
          ...{ projectId, source: 'json' },
          spans: telemetry.encode([span('a')]),
        })
        throw new Unavailable('The store does not respond.', 1)
      }
      for (const traceId of traceIds) await telemetry.removeTrace(projectId, traceId)
      return await telemetry.moveTraces(projectId, fromProjectId, traceIds)
    },
  }
}

test('a move that the store made in part is completed and recorded once', async () => {
  const changes = { telemetry: inTwoSteps() }
  await expect(move(changes)).rejects.toThrow(Unavailable)
  expect(await state()).toMatchObject({
    source: { trace: true },
    target: { trace: true },
    audit: [],
  })
  await opened(changes).completePending(new Date(), signal)
  expect(await state()).toEqual(moved())
  await completePending()
  expect(await state()).toEqual(moved())
})

test('a change that cannot be completed does not delay later ones, and is reported', async () => {
  const { telemetry } = service
  const spans = telemetry.encode([span('a', { traceId: 'broken' })])
  await telemetry.record({ projectId: target, source: 'json', spans })
  const removeBroken = async (changes: TraceChanges) =>
    changes.remove({
      ...{ projectId: target, traceId: 'broken', actor: commandLineActor },
      event: {
        ...{ action: 'trace.removed', organizationId: tenant.organizationId, targetId: 'broken' },
        details: { project_id: target },
      },
    })
  const failing = {
    ...telemetry,
    removeTrace: (...args: Parameters<typeof telemetry.removeTrace>) =>
      args[1] === 'broken' ? crash() : telemetry.removeTrace(...args),
  }
  await expect(removeBroken(opened({ telemetry: failing }))).rejects.toThrow('killed')
  await expect(remove(crashes['before the telemetry is changed']?.())).rejects.toThrow('killed')
  const changes = opened({ telemetry: failing })
  await expect(changes.completePending(new Date(), signal)).rejects.toThrow('killed')
  expect(await state()).toEqual(removed())
  await completePending()
  expect((await state()).audit).toHaveLength(2)
})

test.each([
  ['a removal', remove, undefined, removed],
  ['a move', move, ['adopted'], moved],
] as const)(
  '%s that is requested again after an interruption is recorded once',
  async (_what, change, outcome, changed) => {
    await expect(change(crashes['before the telemetry is changed']?.())).rejects.toThrow('killed')
    expect(await change()).toEqual(outcome)
    await completePending()
    expect(await state()).toEqual(changed())
  },
)

test.each([
  ['a removal', remove, removed],
  ['a move', move, moved],
] as const)('%s that is interrupted twice is recorded once', async (_what, change, changed) => {
  const ports = crashes['before the telemetry is changed']
  for (const _time of [1, 2]) await expect(change(ports?.())).rejects.toThrow('killed')
  await completePending()
  expect(await state()).toEqual(changed())
})

test('a change that cannot be written to the accounts database is not made', async () => {
  const { traceChanges } = service.accounts
  const accounts: Accounts = {
    ...service.accounts,
    traceChanges: { ...traceChanges, insert: crash },
  }
  await expect(remove({ accounts })).rejects.toThrow('killed')
  await expect(move({ accounts })).rejects.toThrow('killed')
  await completePending()
  expect(await state()).toEqual({ source: present, target: absent, audit: [] })
})

test('changes that are not interrupted are recorded once, and leave nothing pending', async () => {
  expect(await move()).toEqual(['adopted'])
  await completePending()
  expect(await state()).toEqual(moved())
  expect(await move()).toEqual(['exists'])
  await completePending()
  expect(await state()).toEqual(moved())
})

test('a trace that is moved while the same move begins is not reported as missing', async () => {
  const { telemetry } = service
  let isMoved = false
  const meanwhile = {
    ...telemetry,
    async findTraces(...args: Parameters<typeof telemetry.findTraces>) {
      const found = await telemetry.findTraces(...args)
      if (!isMoved) await telemetry.moveTraces(target, tenant.projectId, ['trace'])
      isMoved = true
      return found
    },
  }
  expect(await move({ telemetry: meanwhile })).toEqual(['exists'])
  expect(await state()).toMatchObject({ source: { trace: false }, target: { trace: true } })
})

test('a change is completed although more than a page of older and newer ones cannot be', async () => {
  const { accounts, telemetry } = service
  const dead = newId()
  const addDead = async () => {
    const rows = Array.from({ length: 120 }, () => ({
      ...{ id: newOrderedId(), project_id: dead, from_project_id: null, trace_id: newId() },
      ...{ audit_event: '{}', started_at: '2026-01-01T00:00:00.000Z' },
    }))
    await accounts.traceChanges.insert(rows)
    return rows
  }
  const older = await addDead()
  const killed = { ...telemetry, removeTrace: crash }
  await expect(remove({ telemetry: killed })).rejects.toThrow('killed')
  const newer = await addDead()
  const down = {
    ...telemetry,
    removeTrace: async (projectId: string, traceId: string) => {
      if (projectId === dead) throw new Unavailable('ClickHouse cannot be reached.', 1)
      return await telemetry.removeTrace(projectId, traceId)
    },
  }
  const completing = opened({ telemetry: down }).completePending(new Date(), signal)
  await expect(completing).rejects.toThrow(Unavailable)
  expect(await state()).toEqual(removed())
  for (const { id } of [...older, ...newer]) await accounts.traceChanges.remove(id)
})

test('a move that is made by the job meanwhile is reported as made, and recorded once', async () => {
  const { telemetry } = service
  const slow = {
    ...telemetry,
    async moveTraces(...args: Parameters<typeof telemetry.moveTraces>) {
      await telemetry.moveTraces(...args)
      return await telemetry.moveTraces(...args)
    },
  }
  expect(await move({ telemetry: slow })).toEqual(['adopted'])
  expect(await state()).toEqual(moved())
  await completePending()
  expect(await state()).toEqual(moved())
})

test('a move that is not made is not recorded', async () => {
  const { telemetry } = service
  const spans = telemetry.encode([span('a')])
  await telemetry.record({ projectId: target, source: 'json', spans })
  expect(await move()).toEqual(['exists'])
  await telemetry.removeTrace(target, 'trace')
  await telemetry.removeTrace(tenant.projectId, 'trace')
  expect(await move()).toEqual(['not_found'])
  await completePending()
  expect(await state()).toMatchObject({ audit: [], source: { trace: false, comments: 1 } })
})

test('an interrupted move is not made once the target has received a trace with that id', async () => {
  const ports = crashes['before the telemetry is changed']?.()
  await expect(move(ports)).rejects.toThrow('killed')
  const { telemetry } = service
  const spans = telemetry.encode([span('b')])
  await telemetry.record({ projectId: target, source: 'json', spans })
  await completePending()
  const unmoved = { source: present, target: { trace: true, comments: 0 }, audit: [] }
  expect(await state()).toEqual(unmoved)
  await telemetry.removeTrace(target, 'trace')
  await completePending()
  expect(await state()).toEqual({ ...unmoved, target: absent })
})

test.skipIf(inject('isScaled'))(
  'the service completes interrupted changes after its start, and its start does not wait for them',
  async () => {
    const [projectId, organizationId] = [newId(), newId()]
    const gate = openGate()
    const other = await startService({
      async stored({ accounts, telemetry }) {
        const spans = telemetry.encode([span('a')])
        await telemetry.record({ projectId, source: 'json', spans })
        const killed = { ...telemetry, removeTrace: crash }
        const changes = openTraceChanges({ accounts, telemetry: killed, clock: systemClock })
        const target = { action: 'trace.removed', organizationId, targetId: 'trace' } as const
        const event = { ...target, details: { project_id: projectId } }
        const removal = { projectId, traceId: 'trace', event, actor: commandLineActor }
        await expect(changes.remove(removal)).rejects.toThrow('killed')
      },
      wrapTelemetry: (telemetry) => ({
        ...telemetry,
        async removeTrace(...args) {
          await gate.passed
          return await telemetry.removeTrace(...args)
        },
      }),
    })
    const listActions = async () => {
      const lines = await other.accounts.audit.list(organizationId, { limit: 9 })
      return lines.map(({ action }) => action)
    }
    expect(await listActions()).toEqual([])
    gate.open()
    await eventually(async () => expect(await listActions()).toEqual(['trace.removed']))
    expect(await other.telemetry.findTrace(projectId, 'trace')).toBeUndefined()
    await other.stop()
  },
)

test('no further change is completed after a stop', async () => {
  await expect(remove(crashes['before the telemetry is changed']?.())).rejects.toThrow('killed')
  await opened().completePending(new Date(), AbortSignal.abort())
  expect(await state()).toEqual({ source: present, target: absent, audit: [] })
  await completePending()
  expect(await state()).toEqual(removed())
})

test('the job completes what is older than a request, and leaves running changes alone', async () => {
  await expect(remove(crashes['before the telemetry is changed']?.())).rejects.toThrow('killed')
  const at = (ms: number) => clockAt(() => Date.now() + ms)
  await doSteps(traceChangesJob(opened(), at(0)))
  expect((await state()).audit).toEqual([])
  await doSteps(traceChangesJob(opened(), at(120_000)))
  expect(await state()).toEqual(removed())
})

test('comments of a trace whose move is interrupted are not removed as orphans', async () => {
  const ports = crashes['after the telemetry is changed']?.()
  await expect(move(ports)).rejects.toThrow('killed')
  const { comments } = service.accounts
  const [comment] = await comments.listAfter(tenant.projectId, '', 9)
  await comments.removeOrphans(tenant.projectId, [comment!.id])
  await completePending()
  expect(await state()).toEqual(moved())
})
