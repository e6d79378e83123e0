import { expect, test } from 'vitest'
import { labelMissing } from './missing-labels.ts'

test.each([
  ['agent.tools', 'tools of the agent'],
  ['system_of_record.entities.orders.rows', 'all records of orders'],
  ['system_of_record.entities.rows.rows', 'all records of rows'],
  ['system_of_record.entities', 'tables of records'],
  ['agent.later', 'agent.later'],
])('a missing part has a name for people: %s', (path, label) => {
  expect(labelMissing(path)).toBe(label)
})
