import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fieldRows } from './field-rows.ts'

const point = z.object({ x: z.int() }).meta({ id: 'Point' })

describe('a shape as rows', () => {
  test.each<[string, z.ZodType]>([
    ['string', z.string()],
    ['string, 1 to 8 characters', z.string().min(1).max(8)],
    ['string, at least 2 characters, or null', z.string().min(2).nullish()],
    ['`on`, `off`, or null', z.enum(['on', 'off']).nullable()],
    ['`yes`', z.literal('yes')],
    ['timestamp', z.iso.datetime()],
    ['UUID, or null', z.uuid().nullable()],
    ['integer, 1 to 100', z.int().min(1).max(100)],
    ['number, at least 0', z.number().min(0)],
    ['array of UUID', z.array(z.uuid())],
    [
      'array, at most 3 items, each string, at most 9 characters',
      z.array(z.string().max(9)).max(3),
    ],
    ['any JSON', z.unknown()],
    ['object, or null', z.record(z.string(), z.unknown()).nullable()],
  ])('formats the type %s', (words, shape) => {
    expect(fieldRows(z.object({ member: shape }), 'output')[0]).toMatchObject({
      name: 'member',
      type: words,
    })
  })

  test('lists nested members by path, including those of named, repeated and nullable shapes', () => {
    const shape = z.object({ lines: z.array(z.object({ from: point, to: point.nullable() })) })
    expect(fieldRows(shape, 'output').map(({ name, type }) => `${name}: ${type}`)).toEqual([
      'lines: array of object',
      'lines[].from: object',
      'lines[].from.x: integer',
      'lines[].to: object, or null',
      'lines[].to.x: integer',
    ])
  })

  test('marks members as required unless they are optional or have a default', () => {
    const shape = z.object({
      must: z.string(),
      may: z.string().optional(),
      preset: z.coerce.number().pipe(z.int()).default(50).describe('how many'),
    })
    expect(fieldRows(shape, 'output')).toEqual([
      { name: 'must', type: 'string', required: true, note: '' },
      { name: 'may', type: 'string', required: false, note: '' },
      { name: 'preset', type: 'integer', required: false, note: 'how many; default `50`' },
    ])
  })

  test('describes a shape other than an object in one row without a name', () => {
    expect(fieldRows(z.string(), 'input')).toEqual([
      { name: '', type: 'string', required: true, note: '' },
    ])
  })
})
