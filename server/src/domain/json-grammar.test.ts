import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findItems, findMembers, isJson } from './json-grammar.ts'

/** One per line, the empty text first. */
const edgeCases = String.raw`
-
01
1.
.5
1e
+1
0x1
tru
nulll
'a'
"
"\
"\u12
"\x"
[
[1,]
[,1]
[1 2]
{
{"a"}
{"a":}
{"a":1,}
{a:1}
{"a":1 "b":2}
[1}
{"a":1]
]
1,2
[]]
"a"b
undefined
NaN
-0
1e5
1E-5
0.5e+10
"\ud800"
"\u0000"
 [ ] 
{ }
[[],{}]
""`

describe('the JSON validator', () => {
  const texts = fc
    .tuple(fc.jsonValue({ stringUnit: 'binary' }), fc.constantFrom(0, 1, '\t\n', ' \r'))
    .map(([value, space]) => JSON.stringify(value, null, space))

  test('accepts whatever JSON.parse accepts', () => {
    fc.assert(fc.property(texts, (text) => isJson(text, Number.MAX_SAFE_INTEGER)))
  })

  test('rejects whatever JSON.parse rejects: one character changed, added or removed', () => {
    const edits = fc.tuple(
      texts,
      fc.nat(),
      fc.nat(1),
      fc.constantFrom(...'{}[]",:\\ue+-.0159tnf/ \n\0\u00a0\ufeff\ud800'.split(''), ''),
    )
    fc.assert(
      fc.property(edits, ([text, where, removed, added]) => {
        const at = where % (text.length + 1)
        const edited = text.slice(0, at) + added + text.slice(at + removed)
        expect(isJson(edited, Number.MAX_SAFE_INTEGER)).toBe(isParsed(edited))
      }),
      { numRuns: 1000 },
    )
  })

  test.each(edgeCases.split('\n'))('agrees with JSON.parse: %j', (text) => {
    expect(isJson(text, Number.MAX_SAFE_INTEGER)).toBe(isParsed(text))
  })

  test('rejects text deeper than the maximum', () => {
    const nested = `${'[{"a":'.repeat(64)}1${'}]'.repeat(64)}`
    expect(isJson(nested, 128)).toBe(true)
    expect(isJson(nested, 127)).toBe(false)
    expect(isJson('['.repeat(5_000_000), 128)).toBe(false)
  })
})

function isParsed(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('members found in JSON text', () => {
  const names = ['model', 'usage', 'none']
  const objects = fc.dictionary(
    fc.oneof(fc.constantFrom('model', 'usage'), fc.stringMatching(/^[a-z]*$/)),
    fc.jsonValue({ stringUnit: 'binary' }),
    { noNullPrototype: true },
  )
  const spaces = fc.constantFrom(0, 1, '\t\n')

  test('are the members of the outermost object, whatever is in the others', () => {
    fc.assert(
      fc.property(objects, spaces, (object, space) => {
        const found = findMembers(JSON.stringify(object, null, space), names)
        const members = [...found].map(([name, text]) => [name, JSON.parse(text)])
        const expected = names.filter((name) => Object.hasOwn(object, name))
        expect(new Map(members as [string, unknown][])).toEqual(
          new Map(expected.map((name) => [name, JSON.parse(JSON.stringify(object[name]))])),
        )
      }),
    )
  })

  test('are those before the fault in invalid JSON', () => {
    fc.assert(
      fc.property(objects, fc.nat(), (object, length) => {
        const text = JSON.stringify(object)
        for (const [name, value] of findMembers(text.slice(0, length % text.length), names)) {
          expect(text).toContain(`"${name}":${value}`)
        }
      }),
    )
  })

  test.each(['', '[]', '"model"', '{', '{"model"', '{"model":', '{"model":"'])(
    'are none in %j',
    (text) => {
      expect(findMembers(text, names).size).toBe(0)
    },
  )
})

describe('items found in JSON text', () => {
  const arrays = fc.array(fc.jsonValue({ stringUnit: 'binary' }))
  const spaces = fc.constantFrom(0, 1, '\t\n')

  test('are those of the outermost array', () => {
    fc.assert(
      fc.property(arrays, spaces, (array, space) => {
        const text = JSON.stringify(array, null, space)
        const items = findItems(text).map(([start, end]) => JSON.parse(text.slice(start, end)))
        expect(items).toEqual(JSON.parse(text))
      }),
    )
  })

  test.each(['', '{}', '"[1]"', '[', '[]', '[ ]', '["', '[{"a":1'])('are none in %j', (text) => {
    expect(findItems(text)).toEqual([])
  })
})
