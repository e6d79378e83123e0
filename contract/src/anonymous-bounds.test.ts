import { expect, test } from 'vitest'
import type { Access } from './access.ts'
import { allEndpoints } from './all.ts'
import { endpointName, listErrors, replyForm } from './endpoint.ts'

const anonymous = allEndpoints.flatMap((declared) => {
  const access: Access = declared.access
  return access.by === 'anonymous' ? [{ declared, bounds: access.bounds }] : []
})

test('anonymous endpoints declare a rate limit exactly if they can return RATE_LIMITED', () => {
  // Redirects lead to the sign-in page instead of returning errors.
  const returning = anonymous.filter(({ declared }) => replyForm(declared) !== 'redirect')
  const wrong = returning.filter(({ declared, bounds }) => {
    const canRefuse = listErrors(declared).some(({ code }) => code === 'RATE_LIMITED')
    return canRefuse !== (bounds.rateLimit !== 'none')
  })
  expect(wrong.map(({ declared }) => endpointName(declared))).toEqual([])
})

test('anonymous endpoints that hash passwords or send mail have a rate limit', () => {
  const unlimited = anonymous.filter(
    ({ bounds: { work, rateLimit } }) =>
      (work === 'password' || work === 'mail') && rateLimit === 'none',
  )
  expect(unlimited.map(({ declared }) => endpointName(declared))).toEqual([])
})
