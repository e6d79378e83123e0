import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from './canonical-json.ts'

const euro = '\u20ac'

test('members are sorted by UTF-16 code units, as in the example of RFC 8785', () => {
  const value = {
    [euro]: 'Euro Sign',
    '\r': 'Carriage Return',
    '\ufb33': 'Hebrew Letter Dalet With Dagesh',
    '1': 'One',
    '\ud83d\ude00': 'Emoji: Grinning Face',
    '\u0080': 'Control',
    '\u00f6': 'Latin Small Letter O With Diaeresis',
  }
  const names = [...canonicalJson(value).matchAll(/:"([^"]+)"/g)].map(([, name]) => name)
  expect(names).toEqual([
    'Carriage Return',
    'One',
    'Control',
    'Latin Small Letter O With Diaeresis',
    'Euro Sign',
    'Emoji: Grinning Face',
    'Hebrew Letter Dalet With Dagesh',
  ])
})

test('texts are escaped as in the example of RFC 8785, and nothing has white space around it', () => {
  const string = `${euro}$\u000F\u000aA'\u0042\u0022\u005c\\"/`
  expect(canonicalJson({ string, literals: [null, 1, { b: 1, a: [] }] })).toBe(
    String.raw`{"literals":[null,1,{"a":[],"b":1}],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  )
})

test('any two orders of the same members have the same form, which parses to the same value', () => {
  const value = fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.constant(null))
  const members = fc.uniqueArray(fc.tuple(fc.string(), value), { selector: ([name]) => name })
  fc.assert(
    fc.property(members, (list) => {
      const form = canonicalJson(Object.fromEntries(list))
      expect(canonicalJson(Object.fromEntries(list.toReversed()))).toBe(form)
      expect(new Map(Object.entries(JSON.parse(form) as object))).toEqual(new Map(list))
    }),
    { seed: 1 },
  )
})
