import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { heartbeatBytes, openHeartbeat, watchHeartbeat } from './heartbeat.ts'

test('an operation counts from when it began, and nothing counts between two', () => {
  const memory = new SharedArrayBuffer(heartbeatBytes)
  let now = 5_000_000_000n
  const thread = openHeartbeat(memory, () => now)
  const observer = openHeartbeat(memory, () => now)
  expect(observer.operationMs()).toBe(0)
  thread.begin()
  now += 1_500_000n
  expect(observer.operationMs()).toBe(1.5)
  thread.begin()
  now += 2_000_000n
  expect(observer.operationMs()).toBe(2)
  thread.rest()
  now += 3_000_000n
  expect(observer.operationMs()).toBe(0)
})

test('a thread that hangs in a call is noticed, and that it gets on again, each reported once', async () => {
  const memory = new SharedArrayBuffer(heartbeatBytes)
  const gate = new Int32Array(new SharedArrayBuffer(4))
  const module = new URL('./heartbeat.ts', import.meta.url).href
  const thread = new Worker(
    `const { workerData, parentPort } = require('node:worker_threads')
     import(workerData.module).then(({ openHeartbeat }) => {
       const heartbeat = openHeartbeat(workerData.memory)
       heartbeat.begin()
       Atomics.wait(workerData.gate, 0, 0)
       heartbeat.rest()
     })`,
    { eval: true, workerData: { memory, gate, module } },
  )
  onTestFinished(async () => void (await thread.terminate()))
  const changes: boolean[] = []
  const isResponding = watchHeartbeat(memory, 10, (change) => changes.push(change))
  await expect.poll(isResponding).toBe(false)
  expect([isResponding(), changes]).toEqual([false, [false]])
  Atomics.store(gate, 0, 1)
  Atomics.notify(gate, 0)
  await expect.poll(isResponding).toBe(true)
  expect([isResponding(), changes]).toEqual([true, [false, true]])
})
