import { expect, test } from 'vitest'
import { withConnectionName } from './connection-name.ts'

test.each([
  ['', 'assay'],
  ['?application_name=ours', 'assay ours'],
  ['?application_name=', 'assay'],
  ['?application_name=a&application_name=b', 'assay b'],
])('a connection to an address with %j is named %j', (parameters, name) => {
  const url = `postgres://user:p%20s@db:5432/assay${parameters}`
  const named = withConnectionName(url, 'assay')
  expect(named.application_name).toBe(name)
  const { searchParams, href } = new URL(named.connectionString)
  expect(searchParams.getAll('application_name')).toEqual(parameters === '' ? [] : [name])
  searchParams.delete('application_name')
  expect(href.split('?')[0]).toBe('postgres://user:p%20s@db:5432/assay')
})

test('the other parameters of an address stay', () => {
  const url = 'postgres://db/assay?sslmode=require&application_name=a&options=-c%20search_path%3Dx'
  const { searchParams } = new URL(withConnectionName(url, 'assay').connectionString)
  expect([searchParams.get('sslmode'), searchParams.get('options')]).toEqual([
    ...['require', '-c search_path=x'],
  ])
})
