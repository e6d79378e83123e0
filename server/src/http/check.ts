import { type AnyEndpoint, type InvalidForm, invalidCode } from '@assay/contract/endpoint.ts'
import {
  formatGroupedIssue,
  formatIssue,
  formatPredicate,
} from '@assay/contract/validation-messages.ts'
import type { z } from 'zod'
import { Failure } from '../platform/failure.ts'

/*
 * Validates a value against the contract and reports the problems in the form that the endpoint declares.
 * Source: interface specification, "Validation details".
 */

type Issue = z.core.$ZodIssue

const mostIssuesOfAField = 20

/** The validated value; throws VALIDATION_ERROR. A part that is not declared is undefined. */
export function check(
  declared: AnyEndpoint,
  schema: z.ZodType | undefined,
  value: unknown,
): unknown {
  if (schema === undefined) return undefined
  const result = schema.safeParse(value, { error: formatPredicate })
  if (result.success) return result.data
  throw validationFailure(
    declared,
    result.error.issues,
    schema === declared.query ? 'query' : 'body',
  )
}

/** A refusal of one field of the body, for checks beyond the schema. */
export function invalidField(declared: AnyEndpoint, field: string, message: string): Failure {
  const issue: Issue = { code: 'custom', path: [field], message }
  return validationFailure(declared, [issue], 'body')
}

function validationFailure(
  declared: AnyEndpoint,
  issues: readonly Issue[],
  part: 'body' | 'query',
): Failure {
  const form: InvalidForm = declared.invalid ?? 'first'
  const subject = `The ${part}`
  const [first] = issues
  const message = first === undefined ? 'The request is not valid.' : formatIssue(first, subject)
  if (form === 'first') return new Failure(invalidCode(declared, part), message)
  if (form === 'first-five') {
    const rawIssues = issues.slice(0, 5).map((issue) => ({
      code: issue.code,
      path: issue.path.map(String),
      message: formatIssue(issue, subject),
    }))
    return new Failure('VALIDATION_ERROR', message, { details: { issues: rawIssues } })
  }
  return new Failure('VALIDATION_ERROR', form.grouped, {
    details: { issues: grouped(issues, subject) },
  })
}

/** By top-level field. Within a list the sentence has the member's name but not its position. */
function grouped(issues: readonly Issue[], subject: string) {
  const formErrors: string[] = []
  const fieldErrors = new Map<string, string[]>()
  for (const issue of issues) {
    const [field] = issue.path
    const sentences = field === undefined ? formErrors : findOrAddList(fieldErrors, String(field))
    const sentence = formatGroupedIssue(issue, subject)
    if (sentences.length < mostIssuesOfAField && !sentences.includes(sentence)) {
      sentences.push(sentence)
    }
  }
  return { formErrors, fieldErrors: Object.fromEntries(fieldErrors) }
}

function findOrAddList(lists: Map<string, string[]>, name: string): string[] {
  const list = lists.get(name) ?? []
  lists.set(name, list)
  return list
}
