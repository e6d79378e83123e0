import { expect, test } from 'vitest'
import { listParameters } from './tool-parameters.ts'

test('parameters have their type, description, values and whether they are required', () => {
  const schema = {
    type: 'object',
    properties: {
      order_id: { type: 'string', description: 'The order.' },
      outcome: { type: 'string', enum: ['refund', 'exchange'] },
    },
    required: ['order_id'],
  }
  expect(listParameters(schema)).toEqual([
    {
      ...{ name: 'order_id', type: 'string', isRequired: true, values: [] },
      description: 'The order.',
    },
    {
      ...{ name: 'outcome', type: 'string', isRequired: false, description: '' },
      values: ['refund', 'exchange'],
    },
  ])
})

test.each([
  {},
  { properties: null },
  { properties: 'x' },
  { properties: { a: null }, required: 1 },
])('what is no schema has no more than names: %j', (schema) => {
  expect(listParameters(schema).every(({ type }) => type === 'any')).toBe(true)
})
