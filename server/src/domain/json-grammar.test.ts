import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isJson } from './json-grammar.ts'

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
