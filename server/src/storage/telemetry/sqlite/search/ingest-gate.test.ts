import { expect, onTestFinished, test } from 'vitest'
import { Unavailable } from '../../../../platform/failure.ts'
import { openIngestGate } from './ingest-gate.ts'

let isOverdue = false

function openGate(waitMsMax = 60_000) {
  const gate = openIngestGate(() => isOverdue, { waitingBytesMax: 10, waitMsMax })
  onTestFinished(gate.close)
  return gate
}

test('batches pass at once while the index keeps up', () => {
  isOverdue = false
  expect(openGate().admit('acme', 1000)).toBeUndefined()
})

test('batches wait in order while the index is behind, within a budget of bytes', async () => {
  isOverdue = true
  const gate = openGate()
  const passed: number[] = []
  const pass = async (number: number, projectId: string, bytes: number) => {
    await gate.admit(projectId, bytes)
    passed.push(number)
  }
  const waiting = [pass(1, 'acme', 4), pass(2, 'other', 3)]
  await expect(gate.admit('acme', 1)).rejects.toBeInstanceOf(Unavailable)
  gate.update()
  isOverdue = false
  // A batch that arrives now does not overtake those that wait.
  await expect(gate.admit('acme', 1)).rejects.toBeInstanceOf(Unavailable)
  expect(passed).toEqual([])
  gate.update()
  await Promise.all(waiting)
  expect(passed).toEqual([1, 2])
  expect(gate.admit('acme', 1)).toBeUndefined()
})

test('a batch is refused after the longest wait, and on closing', async () => {
  isOverdue = true
  await expect(openGate(0).admit('acme', 1)).rejects.toBeInstanceOf(Unavailable)
  const gate = openGate()
  const waiting = gate.admit('acme', 1)
  gate.close()
  await expect(waiting).rejects.toBeInstanceOf(Unavailable)
})
