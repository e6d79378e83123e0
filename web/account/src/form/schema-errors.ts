import type { AnyEndpoint, Body } from '@assay/contract/endpoint.ts'
import { formatPredicate } from '@assay/contract/validation-messages.ts'
import type { z } from 'zod'

/*
 * The rules of the contract applied in the browser, with messages for people.
 */

type FieldErrors = Readonly<Record<string, string>>

/** The problems of a request body. */
export function bodyErrors({ body }: AnyEndpoint, values: unknown): FieldErrors {
  const declared: Body | undefined = body
  return declared !== undefined && 'schema' in declared ? schemaErrors(declared.schema, values) : {}
}

/**
 * The errors at the fields of a form. An error inside a list belongs to the field of the list. Empty text is a missing
 * value, also where the body has a number.
 */
export function errorsByField(errors: FieldErrors, paths: readonly string[], values: object = {}) {
  const fields: Record<string, string> = {}
  let rest: string | undefined
  for (const [path, message] of Object.entries(errors)) {
    const field = paths.find((each) => path === each || path.startsWith(`${each}.`))
    if (field === undefined) rest ??= `${path} ${message}`
    else fields[field] ??= valueAt(values, field.split('.')) === '' ? 'Required' : message
  }
  return { fields, rest }
}

/** The paths of the fields in the values of a form: `name`, `limits.max`. */
export function fieldPaths(values: object): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? fieldPaths(value as object).map((path) => `${name}.${path}`)
      : [name],
  )
}

/** What is wrong with the values of a form, by the path of the field: the first problem of each. */
export function schemaErrors(schema: z.ZodType, values: unknown): FieldErrors {
  const { error } = schema.safeParse(values, { error: formatPredicate })
  const problems = (error?.issues ?? []).map(({ path, message }) => {
    // Empty fields of a form count as missing.
    const predicate = isMissing(valueAt(values, path)) ? 'is required' : message
    return [path.join('.'), toFieldMessage(predicate)] as const
  })
  return Object.fromEntries(problems.toReversed())
}

function valueAt(values: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, step) => (value as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[step],
    values,
  )
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && !value.trim())
}

/** Predicates about a missing or empty value. */
const missing = /^is required$|^must not be empty$|^is needed for /

/** Capitalizes a predicate such as `must be a number`, for the text below a field. */
export function toFieldMessage(predicate: string): string {
  const text = missing.test(predicate) ? 'required' : predicate
  return text.charAt(0).toUpperCase() + text.slice(1)
}
