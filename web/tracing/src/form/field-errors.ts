import { ApiError } from '@assay/contract/client.ts'

/*
 * Brings the service's refusal to the field it speaks of.
 */

export interface FormErrors {
  readonly fields: Readonly<Record<string, string>>
  /** What belongs to no field of the form. */
  readonly rest: string | undefined
}

/** A validation message begins with the name of its field, `email: must be …`; everything else is for the form. */
export function fieldErrors(error: Error | null, names: readonly string[]): FormErrors {
  if (error === null) return { fields: {}, rest: undefined }
  const [name = '', ...words] = error.message.split(': ')
  const isOfField = isInvalid(error) && names.includes(name) && words.length > 0
  if (!isOfField) return { fields: {}, rest: error.message }
  const text = words.join(': ')
  return { fields: { [name]: text.charAt(0).toUpperCase() + text.slice(1) }, rest: undefined }
}

function isInvalid(error: Error): boolean {
  return error instanceof ApiError && error.code === 'VALIDATION_ERROR'
}
