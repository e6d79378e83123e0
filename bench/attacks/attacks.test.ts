import { allEndpoints } from '@assay/contract/all.ts'
import { endpointName } from '@assay/contract/endpoint.ts'
import { expect, test } from 'vitest'
import { attacks } from './attacks.ts'

test('every endpoint declares what it costs', () => {
  const undeclared = allEndpoints.filter(({ cost }) => cost !== 'cheap' && cost !== 'expensive')
  expect(undeclared.map(endpointName)).toEqual([])
})

test('every expensive endpoint is attacked by a row of the load harness', () => {
  const attacked = new Set(attacks.flatMap(({ endpoints }) => endpoints))
  const expensive = allEndpoints.filter(({ cost }) => cost === 'expensive')
  expect(expensive.length).toBeGreaterThan(30)
  expect(expensive.filter((one) => !attacked.has(one)).map(endpointName)).toEqual([])
})

test('every row can be run on its own', () => {
  const names = attacks.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})
