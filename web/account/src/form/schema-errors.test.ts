import { signUp } from '@assay/contract/sign-in.ts'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { bodyErrors, errorsByField, fieldPaths, schemaErrors } from './schema-errors.ts'

const valid = { email: 'ana@example.org', password: 'long enough', name: 'Ana' }

describe('the values of a form', () => {
  test('that the service accepts have no errors', () => {
    expect(bodyErrors(signUp, valid)).toEqual({})
  })

  test.each([
    ['a wrong address', { email: 'ana' }, { email: 'Must be an e-mail address' }],
    ['an empty name', { name: '  ' }, { name: 'Required' }],
    ['a long name', { name: 'x'.repeat(200) }, { name: 'Must have at most 128 characters' }],
    ['an empty address', { email: '' }, { email: 'Required' }],
    ['an empty password', { password: '' }, { password: 'Required' }],
    ['nothing', { name: undefined }, { name: 'Required' }],
  ])('with %s are refused at that field', (_situation, change, errors) => {
    expect(bodyErrors(signUp, { ...valid, ...change })).toEqual(errors)
  })

  test('have one error for each field, the first', () => {
    const schema = z.object({ name: z.string().min(3).max(1).regex(/^a/, 'must start with a') })
    expect(schemaErrors(schema, { name: 'bb' })).toEqual({
      name: 'Must have at least 3 characters',
    })
  })

  test('have their errors at the path of nested fields', () => {
    const schema = z.object({ limits: z.array(z.object({ max: z.number().max(9) })) })
    expect(schemaErrors(schema, { limits: [{ max: 10 }] })).toEqual({
      'limits.0.max': 'Must be at most 9',
    })
  })
})

test('the paths of fields lead into nested values, not into lists', () => {
  expect(fieldPaths({ name: '', limits: { max: 1 }, tags: ['a'], none: null })).toEqual([
    'name',
    'limits.max',
    'tags',
    'none',
  ])
})

test('an error in a list belongs to the field of the list, one of no field to the form', () => {
  const errors = {
    'domains.0.domain': 'Not a domain',
    'domains.1.domain': 'Required',
    token: 'Bad',
  }
  expect(errorsByField(errors, ['domains', 'name'])).toEqual({
    fields: { domains: 'Not a domain' },
    rest: 'token Bad',
  })
})

test('an empty field of a number is required; other text is not a number', () => {
  const errors = { max: 'Must be a number' }
  const errorWith = (max: string) => errorsByField(errors, ['max'], { max }).fields['max']
  expect(['', 'x'].map(errorWith)).toEqual(['Required', 'Must be a number'])
})
