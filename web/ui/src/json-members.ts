import { isExactNumber } from './exact-json.ts'

/*
 * The members of arrays and objects.
 */

export interface Container {
  readonly isArray: boolean
  readonly size: number
}

export interface Member {
  /** `messages[3].content`. */
  readonly path: string
  /** Absent in arrays. */
  readonly name?: string
  readonly value: unknown
}

/** Undefined for a value without members. */
export function toContainer(value: unknown): Container | undefined {
  if (typeof value !== 'object' || value === null || isExactNumber(value)) return undefined
  if (Array.isArray(value)) return { isArray: true, size: value.length }
  return { isArray: false, size: Object.keys(value).length }
}

/** The members in order. The paths begin with `path`. */
export function* membersOf(path: string, value: object): Generator<Member, undefined> {
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) yield { path: `${path}[${at}]`, value: value[at] }
    return
  }
  for (const name of Object.keys(value)) {
    yield { path: memberPath(path, name), name, value: (value as Record<string, unknown>)[name] }
  }
}

const plainName = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u

function memberPath(path: string, name: string): string {
  if (!plainName.test(name)) return `${path}[${JSON.stringify(name)}]`
  return path === '' ? name : `${path}.${name}`
}
