import { type AnyEndpoint, type Body, invalidCode } from '@assay/contract/endpoint.ts'
import { limits } from '@assay/contract/limits.ts'
import { Failure } from '../platform/failure.ts'
import { hasManyValues, scanJson } from '../platform/json-scan.ts'
import { check } from './check.ts'
import { parseExactly } from './exact-numbers.ts'

/*
 * From the bytes of a JSON body to its validated value. Pure, so that a worker can do it for large bodies.
 */

type JsonBody = Extract<Body, { readonly as: 'json' }>

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
  const value = parsed(declared, body, bytes)
  try {
    return check(declared, body.schema, value)
  } catch (error) {
    if (error instanceof Failure) onInvalid?.(value, error)
    throw error
  }
}

function parsed(declared: AnyEndpoint, body: JsonBody, bytes: Uint8Array): unknown {
  const { malformed, maxContainers, maxValues = bytes.byteLength, keepsNumbers } = body
  const code = invalidCode(declared, 'body')
  const scan = scanJson(bytes, {
    maxDepth: limits.jsonDepth.value,
    maxContainers,
  })
  if (scan === 'too-deep') {
    throw new Failure(code, `The body is nested deeper than ${limits.jsonDepth.value} levels.`)
  }
  if (scan === 'too-many') {
    throw new Failure(code, `The body has more than ${maxContainers} objects and arrays.`)
  }
  // A body of n bytes has at most n values. Parsing takes seconds for a million distinct names of fields.
  if (bytes.byteLength > maxValues && hasManyValues(bytes, maxValues)) {
    throw new Failure(code, `The body has more than ${maxValues} values.`)
  }
  try {
    const text = decoder.decode(bytes)
    return keepsNumbers ? parseExactly(text) : JSON.parse(text)
  } catch (cause) {
    throw malformed === 400
      ? new Failure(code, 'The body is not valid JSON.', { cause })
      : // Specification, "Input failures that surface as 500 INTERNAL_ERROR".
        new Failure('INTERNAL_ERROR', 'An unexpected error occurred.', { cause })
  }
}
