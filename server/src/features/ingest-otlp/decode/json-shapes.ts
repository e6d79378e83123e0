import type { Instant } from '../../../domain/instant.ts'

/*
 * Reads single members of OTLP JSON by the rules of proto3's JSON form: null means absent, 64-bit numbers
 * may be text, unknown keys are ignored. Enumerations may also be names, which OTLP forbids but older
 * senders use.
 */

export type JsonObject = Readonly<Record<string, unknown>>

/** A member has the wrong type. `message` has the name of the member, never its value. */
export class ShapeError extends Error {
  constructor(member: string, expected: string) {
    super(`${member} is not ${expected}`)
    this.name = 'ShapeError'
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function parseObject(value: unknown, member: string): JsonObject {
  if (isObject(value)) return value
  if (value === undefined || value === null) return nothing
  throw new ShapeError(member, 'an object')
}

const nothing: JsonObject = Object.freeze({})

export function parseArray(value: unknown, member: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (value === undefined || value === null) return []
  throw new ShapeError(member, 'an array')
}

export function parseText(value: unknown, member: string): string {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return ''
  throw new ShapeError(member, 'a string')
}

/** Lower case; empty for anything but hexadecimal, in particular base64. */
export function parseHex(value: unknown): string {
  return typeof value === 'string' && /^[0-9a-fA-F]{1,64}$/.test(value) ? value.toLowerCase() : ''
}

/** An optional id: an invalid value, such as base64, must not count as absent. */
export function parseId(value: unknown): string {
  if (value === undefined || value === null || value === '') return ''
  return parseHex(value) || 'malformed'
}

/** 0 when absent. Numbers may have lost precision at the sender; text has not. */
export function parseInstant(value: unknown, member: string): Instant {
  if (typeof value === 'string' && /^\d{1,20}$/.test(value)) return BigInt(value)
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return BigInt(value)
  if (value === undefined || value === null) return 0n
  throw new ShapeError(member, 'a count of nanoseconds')
}

/** 0 for an invalid count, which is not worth a rejection. */
export function parseCount(value: unknown): number {
  const count = typeof value === 'string' ? Number(value) : value
  return typeof count === 'number' && count > 0 && count < 2 ** 32 ? Math.trunc(count) : 0
}

/** Number or name; 0 for anything else. `names` are in the order of their numbers. */
export function parseEnum(value: unknown, names: readonly string[]): number {
  if (typeof value === 'string') return Math.max(0, names.indexOf(value))
  return parseCount(value)
}
