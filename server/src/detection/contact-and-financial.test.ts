import { describe, expect, test } from 'vitest'
import { detect } from './detect.ts'

const found = (text: string) =>
  detect(text).map(({ type, start, end }) => [type, text.slice(start, end)])

describe('contact and financial data', () => {
  test.each([
    ['email', 'Write to ana.b@corp.io, please.', 'ana.b@corp.io'],
    ['phone', 'call +44 20 7946 0958', '+44 20 7946 0958'],
    ['phone', '(415) 555-2671', '(415) 555-2671'],
    ['phone', '415-555-2671', '415-555-2671'],
    ['phone', 'Tel: 030 1234567', '030 1234567'],
    ['phone', '+491701234567', '+491701234567'],
    ['ip_address', 'from 8.8.4.4.', '8.8.4.4'],
    ['card_number', '4242 4242 4242 4242', '4242 4242 4242 4242'],
    ['card_number', '3782 822463 10005', '3782 822463 10005'],
    ['card_number', 'my card 180016070420458', '180016070420458'],
    ['card_number', 'Card no. 6304 2737 3398', '6304 2737 3398'],
    ['iban', 'DE89 3704 0044 0532 0130 00', 'DE89 3704 0044 0532 0130 00'],
    ['iban', 'GB82WEST12345698765432', 'GB82WEST12345698765432'],
    ['iban', 'MT84 MALT 0110 0001 2345 MTLC AST0 01S', 'MT84 MALT 0110 0001 2345 MTLC AST0 01S'],
    ['us_ein', 'EIN 12-3456789', '12-3456789'],
    ['us_routing_number', 'routing 021000021', '021000021'],
  ])('%s is found and does not block: %s', (type, text, value) => {
    expect(found(text)).toEqual([[type, value]])
    expect(detect(text).some(({ blocks }) => blocks)).toBe(false)
  })

  test.each([
    'git@github.com:org/project.git',
    'react@18.2.0',
    'me@example.com',
    '192.168.1.2 and 127.0.0.1',
    'v1.2.3.4',
    '4242 4242 4242 4243',
    'DE89 3704 0044 0532 0130 01',
    'order 180016070420458',
    'card 180016070420459',
    '2026-11-22 15:30:12',
    '1732287600000',
  ])('nothing is found in %s', (text) => {
    expect(found(text)).toEqual([])
  })
})
