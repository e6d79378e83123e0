import type { Cell, FieldType } from '@assay/contract/blueprint.ts'
import { limits } from '@assay/contract/limits.ts'

/*
 * Values of a record by the type of their field.
 */

/** The value in the type, if that loses nothing; undefined for any other. Null is of every type. */
export function toCell(value: unknown, type: FieldType): Cell | undefined {
  if (value === null) return null
  switch (type) {
    case 'string':
      return toText(value)
    case 'boolean':
      return toBoolean(value)
    case 'integer': {
      const number = toNumber(value)
      return Number.isSafeInteger(number) ? number : undefined
    }
    case 'number':
      return toNumber(value)
    case 'date':
      return typeof value === 'string' && isDate(value) ? value : undefined
    case 'datetime':
      return typeof value === 'string' && isDateTime(value) ? value : undefined
  }
}

function toText(value: unknown): string | undefined {
  const isPlain = ['string', 'number', 'boolean'].includes(typeof value)
  const text = String(value)
  return isPlain && text.length <= limits.blueprintTextLength.value ? text : undefined
}

function toBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  if (value === 'true') return true
  return value === 'false' ? false : undefined
}

function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  const isNumber = typeof value === 'string' && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value)
  return isNumber ? Number(value) : undefined
}

function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && toIso(`${text}T00:00:00Z`)?.startsWith(text) === true
}

function isDateTime(text: string): boolean {
  const [, date = ''] =
    /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?$/.exec(text) ?? []
  return isDate(date) && !Number.isNaN(Date.parse(text))
}

function toIso(text: string): string | undefined {
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
