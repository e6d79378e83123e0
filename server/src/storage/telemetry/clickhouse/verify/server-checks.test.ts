import { expect, test } from 'vitest'
import type { Row } from '../columns.ts'
import { checkReplicas, checkTables } from './server-checks.ts'
import type { Check, Verification } from './verification.ts'

/*
 * The checks of a cluster of three servers, which the engine of the tests cannot be.
 */

const settings = { url: 'http://first:8123/', database: 'd', cluster: 'main' }

/** Runs a check on a cluster whose servers return these rows in turn, the last ones from then on. */
async function run(check: Check, ...results: readonly (readonly Row[])[]) {
  let polls = 0
  const rows = async (text: string): Promise<readonly Row[]> => {
    if (text.includes('system.clusters')) return [[3]]
    if (!text.includes('clusterAllReplicas')) return [['spans', 'ReplicatedReplacingMergeTree']]
    polls += 1
    return results[polls - 1] ?? results.at(-1)!
  }
  const found = await check({ settings, connection: { rows } } as unknown as Verification)
  return { found, polls }
}

const on = (...counts: readonly number[]) =>
  counts.map((count, index): Row => [`server${index}`, String(count)])

test('replicas are the same only when every server of the cluster has the rows, also one that has none yet', async () => {
  const { found, polls } = await run(checkReplicas, on(5, 5), on(5, 5, 4), on(5, 5, 5))
  expect(found).toBe('3 servers have the same rows.')
  expect(polls).toBe(3)
})

test('every server of the cluster has the tables, also one that has none', async () => {
  await expect(run(checkTables, on(9, 9))).rejects.toThrow('Servers with tables: 2 instead of 3.')
  await expect(run(checkTables, on(9, 9, 8))).rejects.toThrow('Tables of server2')
  expect((await run(checkTables, on(9, 9, 9))).found).toBe('1 replicated tables on 3 servers.')
})
