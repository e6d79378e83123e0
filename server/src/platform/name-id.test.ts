import { expect, test } from 'vitest'
import { nameId } from './name-id.ts'

test('the id of a name is the one of RFC 9562', () => {
  // Appendix A.4: www.example.com in the namespace of DNS.
  expect(nameId('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com')).toBe(
    '2ed6657d-e927-568b-95e1-2665a8aea6a2',
  )
})
