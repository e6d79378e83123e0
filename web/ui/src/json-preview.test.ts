import { describe, expect, test } from 'vitest'
import { jsonPreview } from './json-preview.ts'

describe('the preview of a collapsed value', () => {
  test.each<[string, object, string]>([
    [
      'members with their values',
      { id: 7, name: 'Lamp', ok: true },
      'id: 7, name: "Lamp", ok: true',
    ],
    ['items of a list', [1, 'two', null], '1, "two", null'],
    ['containers as such', { a: {}, b: [], c: { d: 1 }, e: [1] }, 'a: {}, b: [], c: {…}, e: […]'],
    ['line breaks as one line', { text: 'one\ntwo' }, 'text: "one\\ntwo"'],
    ['the start of a long text', { text: 'x'.repeat(90) }, `text: "${'x'.repeat(24)}…"`],
    ['the start of a long name', { ['n'.repeat(90)]: 1 }, `${'n'.repeat(24)}…: 1`],
    ['the first of many', Array.from({ length: 99 }, (_, at) => at), '0, 1, 2, 3, 4, 5, 6, 7, …'],
  ])('shows %s', (_name, value, text) => {
    expect(jsonPreview(value)).toBe(text)
  })

  test('is short for many long members', () => {
    const value = Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [`member number ${at}`, 'long text '.repeat(50)]),
    )
    expect(jsonPreview(value).length).toBeLessThan(120)
    expect(jsonPreview(value)).toMatch(/…$/)
  })
})
