import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TagChanges, TraceLabels } from '../../../domain/span.ts'
import { changeTags, mergeLabels } from '../../../domain/trace-labels.ts'
import { type LabelRow, toLabelValues, toTagValues, toTraceLabels } from './trace-labels.ts'

const word = fc.constantFrom('a', 'b', 'c')
const labels: fc.Arbitrary<TraceLabels> = fc.record({
  rootName: fc.option(word),
  tags: fc.uniqueArray(word),
  environment: fc.option(word),
  mode: fc.constantFrom(null, 'live', 'simulation'),
  sessionId: fc.option(word),
  userId: fc.option(word),
})
const changes: fc.Arbitrary<TagChanges> = fc.record({
  added: fc.uniqueArray(word),
  removed: fc.uniqueArray(word),
})
const step = fc.oneof(
  labels.map((batch) => ({ batch })),
  changes
    .filter(({ added, removed }) => added.length + removed.length > 0)
    .map((person) => ({ person })),
)

test('the newest row of each label gives what merging one after the other gives, in any order of arrival', () => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 8 }),
      fc.func(fc.nat()),
      (steps, rank) => {
        let merged: TraceLabels | null = null
        const rows: LabelRow[] = []
        for (const [index, one] of steps.entries()) {
          const values = 'batch' in one ? toLabelValues(one.batch) : toTagValues(one.person)
          merged = 'batch' in one ? mergeLabels(merged, one.batch) : changeTags(merged, one.person)
          for (const [label, value] of values) {
            const of = { projectId: 'p', traceId: 't', arrivedOn: '2026-01-01' }
            rows.push({ ...of, label, value, version: String(index + 9) })
          }
        }
        const arrived = rows.toSorted((a, b) => rank(a.label, a.version) - rank(b.label, b.version))
        const newest = new Map<string, LabelRow>()
        for (const row of arrived) {
          const known = newest.get(row.label)
          if (known === undefined || BigInt(row.version) > BigInt(known.version)) {
            newest.set(row.label, row)
          }
        }
        expect(toTraceLabels([...newest.values()])).toEqual(merged)
      },
    ),
  )
})
