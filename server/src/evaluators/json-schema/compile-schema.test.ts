import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileSchema, newBudget } from './compile-schema.ts'

const strict = { isNullAbsent: false, findsAllErrors: false }
const lenient = { isNullAbsent: true, findsAllErrors: false }

/** The keywords that reject the value; the reason when the schema cannot be used; undefined when it takes too long. */
function check(schema: unknown, value: unknown, mode = strict) {
  const compiled = compileSchema(schema, mode, newBudget())
  if (typeof compiled === 'string') return compiled
  return compiled.validate(value, newBudget())?.map(({ keyword }) => keyword)
}

const person = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer' } },
  required: ['name'],
  additionalProperties: false,
}

describe('a value', () => {
  test.each([
    [{ name: 'Ada' }, []],
    [{ name: 'Ada', age: 36 }, []],
    [{}, ['required']],
    [{ name: 1 }, ['type']],
    [{ name: 'Ada', age: null }, ['type']],
    [{ name: 'Ada', born: 1815 }, ['additionalProperties']],
    ['Ada', ['type']],
  ])('%j is rejected by %j', (value, expected) => {
    expect(check(person, value)).toEqual(expected)
  })

  test('has the names of its properties checked', () => {
    const schema = { propertyNames: { maxLength: 3 } }
    expect(check(schema, { foo: null, ab: 1 })).toEqual([])
    expect(check(schema, { foo: 1, quantity: 2 })).toEqual(['maxLength', 'propertyNames'])
    expect(check(schema, { foo: null }, lenient)).toEqual([])
  })

  test('is matched with each pattern of its schema', () => {
    const schema = {
      properties: { code: { pattern: '^[A-Z]+$' }, year: { pattern: '^[0-9]{4}$' } },
    }
    expect(check(schema, { code: 'AB', year: '2026' })).toEqual([])
    expect(check(schema, { code: 'AB', year: 'CD' })).toEqual(['pattern'])
    const byName = { patternProperties: { '^n_': { type: 'number' }, '^s_': { type: 'string' } } }
    expect(check(byName, { n_a: 1, s_a: 'text' })).toEqual([])
    expect(check(byName, { n_a: 1, s_a: 2 })).toEqual(['type'])
  })

  test('with null for an optional property has no such property, at any depth and behind references', () => {
    expect(check(person, { name: 'Ada', age: null }, lenient)).toEqual([])
    expect(check(person, { name: null }, lenient)).toEqual(['type'])
    const nested = {
      $defs: { person },
      properties: { list: { items: { $ref: '#/$defs/person' } } },
    }
    const value = { list: [{ name: 'Ada', age: null }] }
    expect(check(nested, value, lenient)).toEqual([])
    expect(value).toEqual({ list: [{ name: 'Ada', age: null }] })
    expect(check(nested, { list: [{ age: null }] }, lenient)).toEqual(['required'])
  })

  test('has only its own properties', () => {
    const schema = JSON.parse('{"properties":{"__proto__":{"type":"string"}},"required":["a"]}')
    expect(check(schema, JSON.parse('{"__proto__":{"a":1}}'))).toEqual(['required'])
    expect(check({ properties: { valueOf: { type: 'string' } } }, {})).toEqual([])
    expect(check({ required: ['valueOf'] }, {})).toEqual(['required'])
  })
})

describe('a schema of', () => {
  test.each([
    ['Gemini', { type: 'OBJECT', properties: { a: { type: 'STRING', nullable: true } } }, { a: 1 }],
    ['Python', { type: 'dict', properties: { a: { type: 'float' } } }, { a: 'x' }],
    ['draft 7', { properties: { a: { items: [{ type: 'string' }] } } }, { a: [1] }],
    ['draft 4', { properties: { a: { type: 'number', exclusiveMinimum: true } } }, { a: 'x' }],
    [
      'draft 7 with definitions',
      { definitions: { a: { type: 'string' } }, $ref: '#/definitions/a' },
      1,
    ],
    [
      'MCP with an id',
      { $id: 'https://a.example/b', properties: { a: { type: 'null' } } },
      { a: 1 },
    ],
  ])('%s is read', (_name, schema, wrong) => {
    expect(check(schema, wrong)).toEqual(['type'])
    expect(check(schema, {})).toEqual('$ref' in schema ? ['type'] : [])
  })

  test.each([
    [
      { required: true, enum: 'a', minLength: -1, pattern: 7, properties: [] },
      'ill-formed keywords',
    ],
    [{ type: 'any' }, 'an unknown type'],
    [{ format: 'no-such-format' }, 'an unknown format'],
    ['string', 'text'],
  ])('%j allows everything, because it has %s', (schema, _what) => {
    expect(check(schema, { a: 1 })).toEqual([])
  })

  test('formats rejects what has another form', () => {
    expect(check({ format: 'date' }, '2026-02-30')).toEqual(['format'])
    expect(check({ format: 'email' }, 'ada@example.org')).toEqual([])
  })
})

describe('a hostile schema', () => {
  test.each([
    [
      'refers to the network',
      { $ref: 'https://evil.example/schema' },
      /refers to another document/,
    ],
    ['refers to a file', { properties: { a: { $ref: 'file:///etc/passwd' } } }, /another document/],
    ['refers to a prototype', { $ref: '#/constructor/prototype' }, /no part of it/],
    ['has too many parts', { anyOf: Array(1001).fill({}) }, /more than 1000 parts/],
    ['is too large', { enum: ['x'.repeat(100_001)] }, /larger than 100 kB/],
    ['is nested too deep', nested(41), /nested too deep/],
    ['is nested deeper than the stack', nested(20_000), /nested too deep/],
    ['has a pattern with a lookahead', { pattern: '(?=a)b' }, /regexp/],
    ['has a pattern with nested repetitions', { pattern: '(a{1000}){1000}' }, /repeat/],
    ['has a large pattern', { pattern: `${'[ab]{1,99}'.repeat(20)}` }, /too complex/],
  ])('is refused when it %s', (_what, schema, reason) => {
    expect(check(schema, { a: 1 })).toMatch(reason)
  })

  test.each([
    ['doubles the work at each level', doubling(60), 1],
    ['refers to itself', { $ref: '#' }, 1],
    [
      'matches a long text with a large pattern',
      { items: { not: { pattern: '[ab]{1,200}[cd]' } } },
      Array(1000).fill('ab'.repeat(5000)),
    ],
    [
      'compares many items with many values',
      { items: { not: { enum: Array(9000).fill(1) } } },
      Array(9000).fill(2),
    ],
  ])('ends undecided when it %s', (_what, schema, value) => {
    expect(check(schema, value)).toBeUndefined()
  })

  test('among many large ones is not compiled', () => {
    const budget = newBudget()
    const outcomes = Array.from({ length: 6 }, () => {
      const compiled = compileSchema({ anyOf: Array(900).fill({}) }, strict, budget)
      return typeof compiled === 'string' ? compiled : 'compiled'
    })
    expect(outcomes[0]).toBe('compiled')
    expect(outcomes.at(-1)).toBe('the trace has too many large schemas')
  })

  test('with a pattern that backtracks is decided', () => {
    expect(check({ pattern: '^(a+)+$' }, `${'a'.repeat(9000)}!`)).toEqual(['pattern'])
  })

  test('cannot add code to its validator', () => {
    const texts = [
      '"+globalThis.hacked()+"',
      "'];globalThis.hacked();//",
      '`${globalThis.hacked()}`',
      '*/globalThis.hacked()/*',
      '\u2028globalThis.hacked()',
    ]
    let calls = 0
    Object.assign(globalThis, { hacked: () => (calls += 1) })
    for (const text of texts) {
      const schema = {
        ...{ $id: text, $comment: text, title: text, format: text, const: text, enum: [text] },
        ...{ type: [text], required: [text], [text]: text, default: text },
        ...{ properties: { [text]: { const: text } }, patternProperties: { '.': { const: text } } },
        ...{ dependentRequired: { [text]: [text] }, dependentSchemas: { [text]: { not: {} } } },
        ...{ $defs: { [text]: {} }, assayStep: { cost: text, optional: [text] } },
      }
      check(schema, { [text]: text }, lenient)
      check({ properties: schema.properties, required: [text] }, {}, lenient)
    }
    Reflect.deleteProperty(globalThis, 'hacked')
    expect(calls).toBe(0)
  })

  test('cannot change another one by using its id', () => {
    const id = { $id: 'https://a.example/shared' }
    expect(check({ ...id, type: 'string' }, 'x')).toEqual([])
    expect(check({ ...id, type: 'number' }, 1)).toEqual([])
    expect(check({ $ref: id.$id }, 1)).toMatch(/another document/)
  })
})

test('any JSON can be a schema', () => {
  const names = fc.constantFrom(
    ...['type', 'properties', 'items', '$ref', 'anyOf', 'not', 'enum', 'required', 'pattern'],
    ...['format', 'minimum', 'dependencies', 'nullable', 'uniqueItems', 'multipleOf', 'const'],
    ...['if', 'then', 'contains', 'unevaluatedProperties', 'additionalProperties', '__proto__'],
  )
  const { schema } = fc.letrec((tie) => ({
    schema: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('string', 'object', '#', '#/properties', 'date', 1, -1, true, null, '[a-z]'),
      fc.dictionary(names, tie('schema')),
      fc.array(tie('schema'), { maxLength: 3 }),
    ),
  }))
  fc.assert(
    fc.property(schema, fc.jsonValue(), (one, value) => {
      expect(() => check(one, value, lenient)).not.toThrow()
    }),
    { numRuns: 300 },
  )
})

function nested(depth: number): unknown {
  let schema: unknown = { type: 'string' }
  for (let n = 0; n < depth; n++) schema = { items: schema }
  return schema
}

/** Each definition applies the next one twice: 2^levels validations of one value. */
function doubling(levels: number): unknown {
  const definitions = Array.from({ length: levels }, (_, n) => {
    const next = { $ref: `#/$defs/d${n + 1}` }
    return [`d${n}`, { allOf: [next, next] }]
  })
  return { $defs: { ...Object.fromEntries(definitions), [`d${levels}`]: {} }, $ref: '#/$defs/d0' }
}
