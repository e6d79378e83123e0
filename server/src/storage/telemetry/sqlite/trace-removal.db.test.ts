import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { span } from '../port/samples.ts'
import { score } from '../port/score-samples.ts'
import { contentLog } from '../port/signal-samples.ts'
import { folderOfTest, openIn, storeOfTest } from './test-store.ts'

const tables = ['removed_traces', 'spans', 'blocks', 'scores', 'logs', 'span_content']

test('a removal that was interrupted after the first step is finished after the next start', async () => {
  const folder = folderOfTest()
  const store = await openIn(folder)
  const projectId = randomUUID()
  const spans = Array.from({ length: 12_000 }, (_, i) => span(`s${i}`))
  await store.record({ projectId, source: 'json', spans: store.encode(spans) })
  await store.recordScores(projectId, [score('a')])
  await store.recordLogs(projectId, store.encodeLogs([contentLog('s1', 'question', 'answer')]))
  const removal = store.removeTrace(projectId, 'trace')
  // Waits for the running step. The next one is rejected.
  await Promise.all([store.close(), expect(removal).rejects.toThrow('closed')])
  const file = new DatabaseSync(join(folder, 'telemetry.sqlite'), { readOnly: true })
  const counts = () => tables.map((name) => file.prepare(`select count(*) n from ${name}`).get()?.n)
  const [removed, remaining] = counts()
  expect(removed).toBe(1)
  expect(Number(remaining)).toBeGreaterThan(5000)

  const reopened = await storeOfTest(folder)
  expect(await reopened.findTrace(projectId, 'trace')).toBeUndefined()
  await expect.poll(counts).toEqual(tables.map(() => 0))
  file.close()
})
