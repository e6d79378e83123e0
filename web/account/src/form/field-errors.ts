import { ApiError } from '@assay/contract/client.ts'
import { toFieldMessage } from './schema-errors.ts'

/*
 * Assigns an error of the service to the form field that it is about.
 */

export interface FormErrors {
  readonly fields: Readonly<Record<string, string>>
  /** The message where it is about no field of the form. */
  readonly rest: string | undefined
}

/** The path of the field and what is wrong: `domains[0] must be a domain name`. */
const fieldMessage = /^([\w.[\]]+) ((?:must|is|has|cannot) .+)$/s

export function fieldErrors(error: Error | null, names: readonly string[]): FormErrors {
  if (error === null) return { fields: {}, rest: undefined }
  const field = error instanceof ApiError ? error.details['field'] : undefined
  if (typeof field === 'string' && names.includes(field)) {
    return { fields: { [field]: error.message }, rest: undefined }
  }
  const [, path = '', text = ''] = fieldMessage.exec(error.message) ?? []
  const name = names.find(
    (each) => path === each || (/^[.[]/.test(path.slice(each.length)) && path.startsWith(each)),
  )
  if (!isInvalid(error) || name === undefined) return { fields: {}, rest: error.message }
  return { fields: { [name]: toFieldMessage(text) }, rest: undefined }
}

function isInvalid(error: Error): boolean {
  return error instanceof ApiError && error.code === 'VALIDATION_ERROR'
}
