import { ApiError } from '@assay/contract/client.ts'
import { describe, expect, test } from 'vitest'
import { fieldErrors } from './field-errors.ts'

const names = ['email', 'password']

describe('a refusal of a form', () => {
  test('that begins with the name of a field stands at that field', () => {
    const error = new ApiError(400, 'VALIDATION_ERROR', 'email: must be: an address')
    expect(fieldErrors(error, names)).toEqual({
      fields: { email: 'Must be: an address' },
      rest: undefined,
    })
  })

  test.each([
    ['a field the form does not have', 'VALIDATION_ERROR', 'token: must be a string'],
    ['no field', 'VALIDATION_ERROR', 'The body is too large.'],
    ['a name of a field as its only word', 'VALIDATION_ERROR', 'email'],
    ['another code', 'CONFLICT', 'email: taken'],
  ])('of %s stands under the form as it is', (_situation, code, message) => {
    expect(fieldErrors(new ApiError(400, code, message), names)).toEqual({
      fields: {},
      rest: message,
    })
  })
})
