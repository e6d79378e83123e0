import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { labels, span, start } from '../port/samples.ts'
import { openToRead } from './database.ts'
import { openReadLimits } from './read-limits.ts'
import { openStatsReads } from './stats-reads.ts'
import { folderOfTest, openIn } from './test-store.ts'
import { openTraceLists } from './trace-lists.ts'

const projectId = randomUUID()
const hour = 3_600_000_000_000n
const first = start - (start % hour)

/** A trace in each of the first hours, of each mode. */
async function openReads(live: number, simulated: number, rollupsMax: number) {
  const folder = folderOfTest()
  const store = await openIn(folder)
  const record = async (mode: 'live' | 'simulation', count: number) => {
    const spans = Array.from({ length: count }, (_, i) => {
      const at = first + BigInt(i) * hour
      return span('a', { traceId: `${mode} ${i}`, startedAt: at, endedAt: at })
    })
    await store.record({
      ...{ projectId, source: 'json', spans: store.encode(spans), labels: labels({ mode }) },
    })
  }
  await record('live', live)
  await record('simulation', simulated)
  await store.close()
  const db = openToRead(join(folder, 'telemetry.sqlite'), join(folder, 'search.sqlite'))
  onTestFinished(() => db.close())
  const limits = openReadLimits(db, () => false)
  return openStatsReads(db, limits, openTraceLists(db, limits), rollupsMax)
}

const query = {
  ...{ from: first, to: first + 24n * hour, bucketNanos: hour, scanLimit: 100 },
  filters: { name: 'run' },
}

test.each([
  ['live traces', 6, 2, 3n],
  ['simulations', 2, 6, 3n],
  ['both, which differ', 6, 9, 6n],
])(
  'filtered stats are complete from where the rollups of all modes are: limited are %s',
  async (_what, live, simulated, completeHours) => {
    const { stats } = await openReads(live, simulated, 4)
    const coverageStart = first + completeHours * hour
    expect(stats(projectId, query)).toMatchObject({ isComplete: false, coverageStart })
  },
)

test('filtered stats are complete if no mode has as many rollups as are read', async () => {
  const { stats } = await openReads(3, 3, 4)
  expect(stats(projectId, query)).toMatchObject({ isComplete: true, coverageStart: first })
})
