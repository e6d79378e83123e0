import { ApiError } from '@assay/contract/client.ts'
import { describe, expect, test } from 'vitest'
import { fieldErrors } from './field-errors.ts'

const names = ['email', 'domains', 'limits.max']

test.each([
  ['that the form has', 'email', { email: 'The account was deleted.' }, undefined],
  ['that the form does not have', 'role', {}, 'The account was deleted.'],
])('an error with a field %s', (_situation, field, fields, rest) => {
  const error = new ApiError(404, 'NOT_FOUND', 'The account was deleted.', { field })
  expect(fieldErrors(error, names)).toEqual({ fields, rest })
})

describe('a validation error', () => {
  test.each([
    ['email must be an e-mail address', 'email', 'Must be an e-mail address'],
    ['email is required', 'email', 'Required'],
    ['domains must not be empty', 'domains', 'Required'],
    ['email is needed for an account', 'email', 'Required'],
    ['domains[0] must be a domain name', 'domains', 'Must be a domain name'],
    ['domains[1].domain has an unknown field: x', 'domains', 'Has an unknown field: x'],
    ['limits.max must be at most 9', 'limits.max', 'Must be at most 9'],
    ['email cannot be used: no such host', 'email', 'Cannot be used: no such host'],
  ])('"%s" appears at the field %s', (message, name, text) => {
    const error = new ApiError(400, 'VALIDATION_ERROR', message)
    expect(fieldErrors(error, names)).toEqual({ fields: { [name]: text }, rest: undefined })
  })

  test.each([
    ['about a field that the form does not have', 'VALIDATION_ERROR', 'token must be a string'],
    ['about a longer name', 'VALIDATION_ERROR', 'emails must be a list'],
    ['about no field', 'VALIDATION_ERROR', 'The body is larger than 1 bytes.'],
    ['with the name of a field alone', 'VALIDATION_ERROR', 'email'],
    ['that only starts like a field', 'VALIDATION_ERROR', 'email addresses are limited'],
    ['with another code', 'CONFLICT', 'email is taken'],
  ])('%s appears at the form, unchanged', (_situation, code, message) => {
    expect(fieldErrors(new ApiError(400, code, message), names)).toEqual({
      fields: {},
      rest: message,
    })
  })
})
