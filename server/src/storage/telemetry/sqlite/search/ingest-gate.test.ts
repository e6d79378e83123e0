import { expect, onTestFinished, test } from 'vitest'
import { Unavailable } from '../../../../platform/failure.ts'
import { openIngestGate } from './ingest-gate.ts'

const MiB = 1024 * 1024

/** A gate whose clock and lag the test sets. */
function openGate({ lag = 2, waitMsMax = 60_000 } = {}) {
  const state = { lag, now: 0 }
  const opened = openIngestGate({
    lag: () => state.lag,
    waitingBytesMax: 10 * MiB,
    waitMsMax,
    monotonicMs: () => state.now,
  })
  onTestFinished(opened.close)
  /** By default, the project is the only one of its organization. */
  const admit = (projectId: string, sizeBytes: number, organizationId = projectId) =>
    opened.admit([organizationId, projectId], sizeBytes)
  return { gate: { ...opened, admit }, state }
}

function expectWait(admitted: Promise<void> | undefined): void {
  expect(admitted).toBeInstanceOf(Promise)
  admitted?.catch(() => undefined)
}

test('batches pass at once while the index keeps up', () => {
  expect(openGate({ lag: 1 }).gate.admit('acme', 1000 * MiB)).toBeUndefined()
})

test('batches of a busy project wait in order while the index is behind, within a budget of bytes', async () => {
  const { gate, state } = openGate()
  const passed: number[] = []
  const pass = async (number: number, bytes: number) => {
    await gate.admit('acme', bytes)
    passed.push(number)
  }
  const waiting = [pass(1, 1.5 * MiB), pass(2, MiB)]
  await expect(gate.admit('acme', MiB)).rejects.toBeInstanceOf(Unavailable)
  gate.update()
  state.lag = 1
  // A batch that arrives now does not overtake those that wait.
  await expect(gate.admit('acme', 1)).rejects.toBeInstanceOf(Unavailable)
  expect(passed).toEqual([])
  gate.update()
  await Promise.all(waiting)
  expect(passed).toEqual([1, 2])
  expect(gate.admit('acme', 1)).toBeUndefined()
})

test('projects that send little of what arrives go on while others wait', async () => {
  const { gate, state } = openGate({ lag: 1 })
  expect(gate.admit('busy', 40 * MiB)).toBeUndefined()
  state.lag = 2
  expectWait(gate.admit('busy', 2 * MiB))
  expect(gate.admit('light', 3 * MiB)).toBeUndefined()
  expect(gate.admit('light', 2 * MiB)).toBeUndefined()
  expect(gate.admit('small', 1000)).toBeUndefined()
  // Now it is an eighth.
  expectWait(gate.admit('light', 2 * MiB))
  state.lag = 4
  expectWait(gate.admit('another', 2 * MiB))
  expect(gate.admit('small', 1000)).toBeUndefined()
  state.lag = 7
  expectWait(gate.admit('tiny', 1))
})

test('the projects of an organization go on with as much as one, however many they are', () => {
  const { gate, state } = openGate()
  for (let n = 0; n < 4; n += 1) {
    expect(gate.admit(`project ${n}`, MiB / 4, 'many')).toBeUndefined()
  }
  expectWait(gate.admit('project 5', MiB / 4, 'many'))
  expect(gate.admit('victim', MiB / 4)).toBeUndefined()
  state.lag = 1
  gate.update()
  expect(gate.admit('busy', 40 * MiB)).toBeUndefined()
  state.lag = 2
  // An eighth of 42.5 MiB, of which they have sent 1 MiB while the index was behind.
  for (let n = 0; n < 2; n += 1) {
    expect(gate.admit(`other ${n}`, 2 * MiB, 'many')).toBeUndefined()
  }
  expectWait(gate.admit('other 2', 2 * MiB, 'many'))
  expect(gate.admit('victim', 2 * MiB)).toBeUndefined()
})

test('the batches of an organization that wait leave room for others, however many its projects are', async () => {
  const { gate } = openGate()
  const outcomes = Array.from({ length: 5 }, async (_, n) => {
    await gate.admit(`project ${n}`, 2 * MiB, 'many')
  })
  expectWait(gate.admit('victim', 2 * MiB))
  gate.close()
  const settled = await Promise.allSettled(outcomes)
  const reasons = settled.map((one) => (one.status === 'rejected' ? String(one.reason) : ''))
  expect(reasons.filter((reason) => reason.includes('closing'))).toHaveLength(2)
})

test('what a project sent earlier counts for two windows', () => {
  const { gate, state } = openGate({ lag: 1 })
  expect(gate.admit('acme', 2 * MiB)).toBeUndefined()
  state.lag = 4
  state.now = 19_999
  expectWait(gate.admit('acme', 1))
  gate.close()
  state.now = 30_000
  expect(gate.admit('acme', 1)).toBeUndefined()
})

test('a batch is refused after the longest wait, and on closing', async () => {
  await expect(openGate({ waitMsMax: 0 }).gate.admit('acme', 2 * MiB)).rejects.toBeInstanceOf(
    Unavailable,
  )
  const { gate } = openGate()
  const waiting = gate.admit('acme', 2 * MiB)
  gate.close()
  await expect(waiting).rejects.toBeInstanceOf(Unavailable)
})
