import { expect, test } from 'vitest'
import { z } from 'zod'
import { newOrderedId } from './ids.ts'

test('ordered ids are version 7 UUIDs and sort in order of creation', () => {
  const ids = Array.from({ length: 10_000 }, newOrderedId)
  expect([...ids].sort()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids.slice(0, 10)) expect(z.uuidv7().safeParse(id).success).toBe(true)
  const ms = Number.parseInt((ids[0] ?? '').replaceAll('-', '').slice(0, 12), 16)
  expect(Math.abs(ms - Date.now())).toBeLessThan(60_000)
})
