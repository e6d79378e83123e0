import { ApiError } from '@assay/contract/client.ts'
import { capitalize } from './schema-errors.ts'

/*
 * Assigns the service's refusal to the field that it is about.
 */

export interface FormErrors {
  readonly fields: Readonly<Record<string, string>>
  /** The message that belongs to no field of the form. */
  readonly rest: string | undefined
}

/** A validation message starts with the name of its field: `email: must be …`. Others are about the form. */
export function fieldErrors(error: Error | null, names: readonly string[]): FormErrors {
  if (error === null) return { fields: {}, rest: undefined }
  const [name = '', ...words] = error.message.split(': ')
  const isOfField = isInvalid(error) && names.includes(name) && words.length > 0
  if (!isOfField) return { fields: {}, rest: error.message }
  const text = words.join(': ')
  return { fields: { [name]: capitalize(text) }, rest: undefined }
}

function isInvalid(error: Error): boolean {
  return error instanceof ApiError && error.code === 'VALIDATION_ERROR'
}
