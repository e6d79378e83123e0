import { expect, test } from 'vitest'
import { findProblem } from './cluster.ts'
import { migrationStatements } from './migrate.ts'

const textOf = (cluster?: string) => `${migrationStatements(cluster).flat().join(';\n\n')};\n`

test('the tables of a cluster are those that were reviewed', async () => {
  await expect(textOf('assay')).toMatchFileSnapshot('./migrations/tables-of-cluster.sql')
})

test('the tables of a cluster differ from those of one server in where they are, and in nothing else', () => {
  const onOneServer = textOf('assay')
    .replaceAll(" ON CLUSTER 'assay'", '')
    .replaceAll(/Replicated(\w+)\('[^']+', '\{replica\}'(?:, )?/g, '$1(')
    .replaceAll('MergeTree()', 'MergeTree')
    .replaceAll(', replicated_deduplication_window = 0', '')
  expect(onOneServer).toBe(textOf())
})

test('a cluster is used if all of its servers have all traces', () => {
  expect(findProblem(1, 'c')).toBeUndefined()
  expect(findProblem(0, 'c')).toBe('ClickHouse has no cluster with the name c.')
  expect(findProblem(3, 'c')).toContain('has 3 shards')
})
