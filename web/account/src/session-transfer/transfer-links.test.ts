import { expect, test } from 'vitest'
import { productLink, signUpLink, startTransferSearch } from './transfer-links.ts'

test('a link to the other product has the page to open, whatever its path', () => {
  const link = new URL(productLink('https://chat.example', '/acme/support?q=a&b#c'))
  expect(link.origin + link.pathname).toBe('https://chat.example/session-transfer/start')
  const search = startTransferSearch.parse(Object.fromEntries(link.searchParams))
  expect(search).toEqual({ next: '/acme/support?q=a&b#c' })
})

test('a transfer never leads to another host', () => {
  expect(startTransferSearch.parse({ next: '//evil.example' })).toEqual({})
})

test('an account is created before the transfer continues', () => {
  const link = new URL(
    signUpLink(new URL('https://assay.example/session-transfer?to=chat&state=1')),
  )
  expect(link.pathname).toBe('/sign-up')
  expect(link.searchParams.get('next')).toBe('/session-transfer?to=chat&state=1')
})
