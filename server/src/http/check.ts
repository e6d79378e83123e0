import type { AnyEndpoint, InvalidForm } from '@assay/contract/endpoint.ts'
import type { z } from 'zod'
import { Failure } from '../platform/failure.ts'

/*
 * Checks a value against the contract and reports what is invalid in the form that the endpoint declares.
 * Source: interface specification, "Validation details".
 */

type Issue = z.core.$ZodIssue

const mostIssuesOfAField = 20

/** The checked value; throws VALIDATION_ERROR. A part that is not declared checks to undefined. */
export function check(
  declared: AnyEndpoint,
  schema: z.ZodType | undefined,
  value: unknown,
): unknown {
  if (schema === undefined) return undefined
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw validationFailure(declared.invalid ?? 'first', result.error.issues)
}

/** A refusal of one field of the body, for what the schema cannot check. */
export function invalidField(declared: AnyEndpoint, field: string, message: string): Failure {
  return validationFailure(declared.invalid ?? 'first', [
    { code: 'custom', path: [field], message },
  ])
}

function validationFailure(form: InvalidForm, issues: readonly Issue[]): Failure {
  if (form === 'first') return new Failure('VALIDATION_ERROR', firstOf(issues))
  if (form === 'first-five') {
    return new Failure('VALIDATION_ERROR', firstOf(issues), {
      details: { issues: issues.slice(0, 5).map(rawIssue) },
    })
  }
  return new Failure('VALIDATION_ERROR', form.grouped, { details: { issues: grouped(issues) } })
}

function firstOf([first]: readonly Issue[]): string {
  return first === undefined ? 'Invalid request.' : sentence(first.path, first.message)
}

function sentence(path: readonly PropertyKey[], message: string): string {
  return path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`
}

function rawIssue({ code, path, message }: Issue) {
  return { code, path: path.map(String), message }
}

/** By top-level field; inside a list the message names the member but not its index. */
function grouped(issues: readonly Issue[]) {
  const formErrors: string[] = []
  const fieldErrors = new Map<string, string[]>()
  for (const { path, message } of issues) {
    const [field, ...inner] = path
    const messages = field === undefined ? formErrors : listOf(fieldErrors, String(field))
    const text = sentence(
      inner.filter((step) => typeof step !== 'number'),
      message,
    )
    if (messages.length < mostIssuesOfAField && !messages.includes(text)) messages.push(text)
  }
  return { formErrors, fieldErrors: Object.fromEntries(fieldErrors) }
}

function listOf(lists: Map<string, string[]>, name: string): string[] {
  const list = lists.get(name) ?? []
  lists.set(name, list)
  return list
}
