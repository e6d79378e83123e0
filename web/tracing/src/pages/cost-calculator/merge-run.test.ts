import type { CostRun } from '@assay/contract/cost-runs.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type LiveRun, resultKey } from '../../api/live-runs.ts'
import { mergeRun } from './merge-run.ts'

const result = (key: string, turns: number) =>
  ({ scenario_id: key, model_config_id: 'm', turns }) as CostRun['results'][number]

/** Only the members that are merged. */
const run = (results: CostRun['results']) => ({ scenarios: [], results }) as unknown as CostRun
const live = (results: CostRun['results']) =>
  ({
    scenarios: new Map(),
    results: new Map(results.map((one) => [resultKey(one), one])),
  }) as unknown as LiveRun

const results = fc.uniqueArray(fc.constantFrom<string[]>('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'), {
  maxLength: 8,
})

test('a run has each result once: what arrived later, in the place of what was read', () => {
  fc.assert(
    fc.property(results, results, (known, arrived) => {
      const merged = mergeRun(
        run(known.map((key) => result(key, 1))),
        live(arrived.map((key) => result(key, 2))),
      ).results
      const added = arrived.filter((key) => !known.includes(key))
      expect(merged.map(({ scenario_id }) => scenario_id)).toEqual([...known, ...added])
      for (const one of merged) expect(one.turns).toBe(arrived.includes(one.scenario_id) ? 2 : 1)
    }),
  )
})

test('a run of which nothing arrived is as it was read', () => {
  const known = run([result('a', 1)])
  expect(mergeRun(known, undefined)).toBe(known)
  expect(mergeRun(known, live([]))).toBe(known)
})
