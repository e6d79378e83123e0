import type { AnyEndpoint, Body } from '@assay/contract/endpoint.ts'
import { Failure } from '../platform/failure.ts'
import { check } from './check.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The validated fields of a posted form. A repeated field is refused, because parsers disagree on which one counts. */
export function checkedForm(declared: AnyEndpoint, bytes: Uint8Array): unknown {
  const body: Body | undefined = declared.body
  if (body?.as !== 'form') throw new Error(`${declared.path} declares no form`)
  const fields = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(decodeText(bytes))) {
    if (fields.has(name)) throw new Failure('VALIDATION_ERROR', `${name} must appear once`)
    fields.set(name, value)
  }
  return check(declared, body.schema, Object.fromEntries(fields))
}

function decodeText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch (cause) {
    throw new Failure('VALIDATION_ERROR', 'The body is not valid UTF-8.', { cause })
  }
}
