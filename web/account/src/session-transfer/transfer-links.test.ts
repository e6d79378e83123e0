import { expect, test } from 'vitest'
import { nextSearch } from '../sign-in/next-path.ts'
import { openChatPath, productLink } from './transfer-links.ts'

test('a link to the other product has the page to open, whatever its path', () => {
  const link = new URL(productLink('https://chat.example', '/acme/support?q=a&b#c'))
  expect(link.origin + link.pathname).toBe('https://chat.example/session-transfer/start')
  const search = nextSearch.parse(Object.fromEntries(link.searchParams))
  expect(search).toEqual({ next: '/acme/support?q=a&b#c' })
})

test('a transfer never leads to another host', () => {
  expect(nextSearch.parse({ next: '//evil.example' })).toEqual({})
})

test('the way back to chat has the page to open, unless its path is too long', () => {
  const link = new URL(openChatPath('/acme/support?q=%C3%BC&b#c'), 'https://assay.example')
  expect(link.pathname).toBe('/open-chat')
  expect(link.searchParams.get('next')).toBe('/acme/support?q=%C3%BC&b#c')
  expect(openChatPath(`/acme/support?q=${'x'.repeat(1000)}`)).toBe('/open-chat')
})
