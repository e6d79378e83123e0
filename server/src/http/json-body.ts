import type { AnyEndpoint, Body } from '@assay/contract/endpoint.ts'
import { limits } from '@assay/contract/limits.ts'
import { Failure } from '../platform/failure.ts'
import { scanJson } from '../platform/json-scan.ts'
import { check } from './check.ts'

/*
 * From the bytes of a JSON body to its validated value. Pure, so that a worker can do it for large bodies.
 */

declare global {
  /** ECMAScript's "JSON.parse source text access", in V8 since Node 21 and not yet in TypeScript's library. */
  interface JSON {
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown
    rawJSON(text: string): unknown
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * The validated body of `declared`. Throws the refusals the contract declares; `onInvalid` gets the value of a body
 * that is JSON but does not match the schema.
 */
export function checkedJson(
  declared: AnyEndpoint,
  bytes: Uint8Array,
  onInvalid?: (value: unknown, failure: Failure) => never,
): unknown {
  const body: Body | undefined = declared.body
  if (body?.as !== 'json') throw new Error(`${declared.path} declares no JSON body`)
  const value = parsed(body.malformed, bytes)
  try {
    return check(declared, body.schema, value)
  } catch (error) {
    if (error instanceof Failure) onInvalid?.(value, error)
    throw error
  }
}

function parsed(malformed: 400 | 500, bytes: Uint8Array): unknown {
  const scan = scanJson(bytes, {
    maxDepth: limits.jsonDepth.value,
    maxContainers: limits.jsonContainers.value,
  })
  if (scan === 'too-deep') {
    throw new Failure(
      'VALIDATION_ERROR',
      `The body is nested deeper than ${limits.jsonDepth.value} levels.`,
    )
  }
  if (scan === 'too-many') {
    throw new Failure(
      'VALIDATION_ERROR',
      `The body has more than ${limits.jsonContainers.value} objects and arrays.`,
    )
  }
  try {
    return parseExactly(decoder.decode(bytes))
  } catch (cause) {
    throw malformed === 400
      ? new Failure('VALIDATION_ERROR', 'The body is not valid JSON.', { cause })
      : // Specification, "Input failures that surface as 500 INTERNAL_ERROR".
        new Failure('INTERNAL_ERROR', 'An unexpected error occurred.', { cause })
  }
}

// Sixteen digits, or an exponent of three, may be more than a double can represent.
const mayExceedDouble = /\d{16}|\d[eE][+-]?\d{3}/

/**
 * Like `JSON.parse`, but a number that a double cannot represent keeps its text and is serialized
 * unchanged.
 */
export function parseExactly(text: string): unknown {
  if (!mayExceedDouble.test(text)) return JSON.parse(text)
  return JSON.parse(text, exactNumber)
}

function exactNumber(_key: string, value: unknown, context: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || context.source === undefined) return value
  const isWhole = /^-?\d+$/.test(context.source)
  const isKept = isWhole ? String(value) === context.source : Number.isFinite(value)
  return isKept ? value : JSON.rawJSON(context.source)
}
