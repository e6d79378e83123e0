import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { labels, span } from '../port/samples.ts'
import { score } from '../port/score-samples.ts'
import { contentLog, measurement } from '../port/signal-samples.ts'
import { folderOfTest, storeOfTest } from './test-store.ts'

const secret = 'secret of the project'

test('the file has no data of a removed project, and no row except its id', async () => {
  const folder = folderOfTest()
  const store = await storeOfTest(folder)
  const projectId = randomUUID()
  await store.record({
    projectId,
    source: 'json',
    spans: store.encode([span('a', { name: secret })]),
    labels: labels({ tags: [secret], rootName: secret }),
    idempotency: { key: secret, note: secret },
  })
  await store.recordMetrics(projectId, store.encodeMetrics([measurement({}, { name: secret })]))
  await store.recordLogs(projectId, store.encodeLogs([contentLog('a', secret, secret)]))
  await store.recordScores(projectId, [score('a', { name: secret, reasoning: secret })])
  const tables = () => {
    const file = new DatabaseSync(join(folder, 'telemetry.sqlite'), { readOnly: true })
    const names = file
      .prepare(`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`)
      .all()
    const rows = names.map(({ name }) => {
      const statement = file.prepare(`select * from ${String(name)}`)
      statement.setReadBigInts(true)
      return [String(name), statement.all()] as const
    })
    file.close()
    return rows
  }
  const filled = tables().flatMap(([name, rows]) => (rows.length > 0 ? [name] : []))
  expect(filled.length).toBeGreaterThan(8)
  while ((await store.removeProject(projectId)) === 'more');
  const remaining = tables().filter(([, rows]) => rows.length > 0)
  // Pending changes of the search index reference the project by number.
  expect(remaining.map(([name]) => name).filter((name) => name !== 'search_changes')).toEqual([
    'projects',
  ])
})
