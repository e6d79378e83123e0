import type { SchemaErrors } from './compile-schema.ts'

/** What is wrong with a value, with the keyword of the schema: `"limit" must be integer (type)`. */
export function describeError(errors: SchemaErrors): string {
  // The errors of the alternatives come before the one of `anyOf`.
  const error = errors.at(-1)
  if (error === undefined) return ''
  const { keyword, instancePath, message, params } = error
  const place = placeOf(instancePath)
  const subject = place === '' ? 'it' : `"${place}"`
  if (keyword === 'required')
    return `"${join(place, params['missingProperty'])}" is missing (required)`
  const added: unknown = params['additionalProperty'] ?? params['unevaluatedProperty']
  if (added !== undefined) return `"${join(place, added)}" is not a known property (${keyword})`
  if (keyword === 'enum')
    return `${subject} must be one of ${allowed(params['allowedValues'])} (enum)`
  if (keyword === 'uniqueItems') return `${subject} must not contain equal items (uniqueItems)`
  return `${subject} ${message ?? 'is not valid'} (${keyword})`
}

/** `items.0.price` of `/items/0/price`. */
function placeOf(pointer: string): string {
  const parts = pointer.split('/').slice(1)
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')).join('.')
}

function join(place: string, name: unknown): string {
  return place === '' ? String(name) : `${place}.${String(name)}`
}

const shownMax = 5

function allowed(values: unknown): string {
  const list = (Array.isArray(values) ? values : []).map((one) => JSON.stringify(one).slice(0, 40))
  return list.slice(0, shownMax).join(', ') + (list.length > shownMax ? ' …' : '')
}
