import { describe, expect, test } from 'vitest'
import { type JsonRow, jsonMatches, jsonRows } from './json-rows.ts'

const noToggles = new Map<string, boolean>()
const many = Array.from({ length: 80 }, (_, at) => at)

function drawn(rows: readonly JsonRow[]): readonly string[] {
  return rows.map(({ depth, name, row }) => {
    const text = row.is === 'leaf' ? JSON.stringify(row.value) : row.is
    return `${' '.repeat(depth)}${name === undefined ? '' : `${name}: `}${text}`
  })
}

describe('the rows of a value', () => {
  test('follow its members in order, with a closing row for every container', () => {
    const { rows, isCut } = jsonRows({ a: 1, b: ['x', {}], c: null }, noToggles, 100)
    expect(drawn(rows)).toEqual([
      'open',
      ' a: 1',
      ' b: open',
      '  "x"',
      '  {}',
      ' close',
      ' c: null',
      'close',
    ])
    expect(isCut).toBe(false)
  })

  test('are truncated at the limit, without walking the rest', () => {
    let read = 0
    const list = new Proxy(
      Array.from({ length: 1_000_000 }, () => 1),
      {
        get(target, name, receiver) {
          read += 1
          return Reflect.get(target, name, receiver) as unknown
        },
      },
    )
    const { rows, isCut } = jsonRows(list, noToggles, 50)
    expect(rows).toHaveLength(50)
    expect(isCut).toBe(true)
    expect(read).toBeLessThan(500)
  })

  test('are open level by level, as many as fit a screen', () => {
    const value = { many, a: { b: { c: { d: 1 } } } }
    const { rows } = jsonRows(value, noToggles, 1000)
    expect(drawn(rows)).toContain(' many: collapsed')
    expect(drawn(rows)).toContain('    d: 1')
    const list = Array.from({ length: 30 }, (_, at) => ({ at, inner: { x: 1, y: 2 } }))
    const ofList = drawn(jsonRows(list, noToggles, 1000).rows)
    expect(ofList.length).toBeLessThan(70)
    expect(ofList.filter((row) => row === ' open').length).toBeGreaterThan(5)
    expect(ofList).not.toContain('  inner: open')
  })

  test('are open down to the texts of messages, and closed where the user closed them', () => {
    const message = (text: string) => ({ role: 'user', parts: [{ type: 'text', content: text }] })
    const value = {
      settings: Object.fromEntries(many.map((at) => [`s${at}`, { at }])),
      request: { body: { deep: { messages: many.map((at) => message(`text ${at}`)) } } },
    }
    const { rows } = jsonRows(value, noToggles, 1000)
    expect(drawn(rows)).toContain('        content: "text 79"')
    expect(drawn(rows)).toContain(' settings: collapsed')
    const closed = jsonRows(value, new Map([['request.body', false]]), 1000)
    expect(drawn(closed.rows)).toContain('  body: collapsed')
  })

  test('of a value that is nested very deeply are open without a failure', () => {
    let value: unknown = { text: 'inner' }
    for (let depth = 0; depth < 20_000; depth += 1) value = [value]
    expect(jsonRows(value, noToggles, 1000).rows.length).toBeGreaterThan(20)
  })

  test('have a distinct path for every member', () => {
    const value = { 'a.b': 1, a: { b: 2, 'c[0]': 3, c: [4] }, '': 5, '"': 6 }
    const paths = jsonRows(value, noToggles, 100)
      .rows.filter(({ row }) => row.is === 'leaf')
      .map(({ path }) => path)
    expect(new Set(paths).size).toBe(paths.length)
    expect(paths).toContain('a.c[0]')
    expect(paths).toContain('["a.b"]')
  })
})

describe('the search', () => {
  const value = { user: { name: 'Ana' }, notes: ['banana', 'x'], count: 12, off: null }

  test('finds values and member names, case-insensitively, with their paths', () => {
    expect(jsonMatches(value, 'ANA', 10).matches).toEqual([
      { path: 'user.name', excerpt: 'Ana' },
      { path: 'notes[0]', excerpt: 'banana' },
    ])
    expect(jsonMatches(value, 'user', 10).matches).toEqual([{ path: 'user', excerpt: '' }])
    expect(jsonMatches(value, '12', 10).matches).toEqual([{ path: 'count', excerpt: '12' }])
    expect(jsonMatches(value, 'null', 10).matches).toEqual([{ path: 'off', excerpt: 'null' }])
  })

  test('shows the text around a match in a long value', () => {
    const text = `${'a'.repeat(5000)}needle${'b'.repeat(5000)}`
    const [match] = jsonMatches({ text }, 'needle', 10).matches
    expect(match?.excerpt).toContain('needle')
    expect(match?.excerpt.length).toBeLessThan(300)
  })

  test('stops at its limit, and reports that', () => {
    const many = Array.from({ length: 1000 }, () => 'same')
    expect(jsonMatches(many, 'same', 20)).toMatchObject({ isCut: true })
    expect(jsonMatches(many, 'same', 20).matches).toHaveLength(20)
    expect(jsonMatches(many.slice(0, 20), 'same', 20)).toMatchObject({ isCut: false })
  })
})
