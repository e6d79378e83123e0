import type { ParameterSchema } from '../domain/tool-parameters.ts'
import type { Parameter } from './intents.ts'
import type { Random } from './random.ts'

/*
 * Values for the parameters of tools, as a user writes them. People and addresses are fictitious.
 */

export type ValueKind = 'usual' | 'unknown' | 'limit' | 'wrong type'

const valueLengthMax = 80

export function inventValue(parameter: Parameter, kind: ValueKind, random: Random): string {
  return inventText(parameter, kind, random).slice(0, valueLengthMax)
}

function inventText({ name, schema }: Parameter, kind: ValueKind, random: Random): string {
  if (kind === 'wrong type') return random.pick(['a few', 'the usual', 'the blue one', 'soon'])
  const values = schema['enum']
  const isListed = Array.isArray(values) && values.length > 0
  if (kind === 'unknown') return isListed ? 'something else' : unknownValue(name)
  if (isListed) return String(values[random.below(values.length)])
  const { type } = schema
  if (type === 'boolean') return random.pick(['yes', 'no'])
  if (type === 'integer' || type === 'number') return inventNumber(name, schema, kind, random)
  return inventByName(name, schema, random)
}

function unknownValue(name: string): string {
  if (/\b(?:email|mail)\b/.test(name)) return 'nobody@example.invalid'
  if (/\bdate|day\b/.test(name)) return 'February 30'
  return `${prefixOf(name)}-000000`
}

function inventNumber(
  name: string,
  { minimum, maximum }: ParameterSchema,
  kind: ValueKind,
  random: Random,
): string {
  const low = typeof minimum === 'number' ? minimum : 1
  const high = typeof maximum === 'number' ? maximum : Math.max(low + 1, usualMax(name))
  if (kind === 'limit') return String(random.pick([low, high]))
  return String(Math.round(low + random.below(Math.max(1, Math.round(high - low)))))
}

function usualMax(name: string): number {
  if (/\b(?:year)\b/.test(name)) return 2027
  if (/\b(?:amount|price|total|budget|sum)\b/.test(name)) return 900
  return /\b(?:id|number|code)\b/.test(name) ? 99_999 : 12
}

const months = ['January', 'March', 'May', 'June', 'August', 'October', 'December'] as const
const firstNames = [
  'Ana',
  'Ben',
  'Chidi',
  'Dana',
  'Emil',
  'Farah',
  'Gus',
  'Hanna',
  'Ivo',
  'Jun',
] as const
const lastNames = ['Abel', 'Brandt', 'Costa', 'Dahl', 'Eriksen', 'Fuchs', 'Gomez', 'Hale'] as const
const cities = ['Lisbon', 'Bergen', 'Chicago', 'Osaka', 'Nairobi', 'Lima', 'Graz', 'Leeds'] as const
const things = [
  ...(['the green backpack', 'the larger room', 'the morning slot', 'the second invoice'] as const),
  ...(['the annual plan', 'the red bicycle', 'the early train', 'the new address'] as const),
  ...(['the spare key', 'the yearly report', 'the corner desk', 'the blue folder'] as const),
] as const

/** The first that fits the name of the parameter. */
const byName: readonly (readonly [RegExp, (random: Random) => string])[] = [
  [
    /\b(?:email|mail)\b/,
    (random) => `${random.pick(firstNames)}.${random.pick(lastNames)}@example.com`.toLowerCase(),
  ],
  [/\b(?:phone|mobile|fax)\b/, (random) => `555-01${10 + random.below(90)}`],
  [/\b(?:date|day|when|from|until|deadline|start|end)\b/, toDate],
  [
    /\b(?:time|hour)\b/,
    (random) => `${7 + random.below(12)}:${random.pick(['00', '15', '30', '45'])}`,
  ],
  [/\b(?:city|town|place|location|origin|destination|airport)\b/, (random) => random.pick(cities)],
  [
    /\b(?:address|street)\b/,
    (random) => `${1 + random.below(99)} Mill Lane, ${random.pick(cities)}`,
  ],
  [/\b(?:zip|postcode|postal)\b/, (random) => String(10_000 + random.below(89_999))],
  [/\b(?:country)\b/, (random) => random.pick(['Portugal', 'Norway', 'Japan', 'Kenya', 'Peru'])],
  [/\b(?:currency)\b/, (random) => random.pick(['EUR', 'USD', 'JPY', 'NOK'])],
  [/\b(?:language|locale)\b/, (random) => random.pick(['English', 'German', 'Spanish', 'French'])],
  [/\b(?:url|link|website)\b/, (random) => `https://example.com/p/${100 + random.below(900)}`],
  [
    /\b(?:user|customer|person|passenger|guest|patient|employee|contact) ?name\b|^name$/,
    (random) => `${random.pick(firstNames)} ${random.pick(lastNames)}`,
  ],
]

function toDate(random: Random): string {
  return `${random.pick(months)} ${1 + random.below(28)}`
}

function inventByName(name: string, { format }: ParameterSchema, random: Random): string {
  if (format === 'date' || format === 'date-time') return toDate(random)
  if (format === 'email') return `${random.pick(firstNames)}@example.com`.toLowerCase()
  if (/\b(?:id|number|no|code|key|reference|sku|token)\b/.test(name)) {
    return `${prefixOf(name)}-${10_000 + random.below(89_999)}`
  }
  const [, invent] = byName.find(([pattern]) => pattern.test(name)) ?? []
  return invent?.(random) ?? random.pick(things)
}

/** `ORD` of `order id`. */
function prefixOf(name: string): string {
  const letters = name.replaceAll(/\b(?:id|number|no|code)\b|[^a-z]/g, '')
  return (letters === '' ? 'ref' : letters).slice(0, 3).toUpperCase()
}
