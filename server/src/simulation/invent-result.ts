import type { AgentTool } from '@assay/contract/agent-config.ts'
import { isSchema, type ParameterSchema } from '../domain/tool-parameters.ts'
import { inventValue } from '../scenarios/parameter-values.ts'
import { openRandom, type Random } from '../scenarios/random.ts'

/*
 * Results of tools that nothing is known about, from a seed: the same call has the same result, whatever model makes it.
 * Their length is drawn like that of recorded results, because each later call of the agent sends them again.
 */

type Fields = Readonly<Record<string, unknown>>

const depthMax = 6
const valuesMax = 200

/** A value in the form of a JSON Schema. */
export function inventBySchema(schema: ParameterSchema, seed: string): unknown {
  const random = openRandom(seed)
  let count = 0
  const invent = (name: string, one: unknown, depth: number): unknown => {
    count += 1
    if (!isSchema(one) || depth > depthMax || count > valuesMax) return null
    const { const: constant, enum: values, properties, items, type } = one
    if (constant !== undefined) return constant
    if (Array.isArray(values) && values.length > 0) return values[random.below(values.length)]
    if (isSchema(properties)) {
      const members = Object.entries(properties)
      return Object.fromEntries(members.map(([key, value]) => [key, invent(key, value, depth + 1)]))
    }
    const [alternative] = [one['anyOf'], one['oneOf'], one['allOf']].filter(Array.isArray).flat()
    if (alternative !== undefined) return invent(name, alternative, depth + 1)
    if (type === 'array' || items !== undefined)
      return Array.from({ length: 1 + random.below(3) }, () => invent(name, items, depth + 1))
    if (type === 'object') return {}
    if (type === 'null') return null
    if (type === 'boolean') return random.below(2) === 0
    return inventScalar(name, one, random)
  }
  return invent('', schema, 0)
}

function inventScalar(name: string, schema: ParameterSchema, random: Random): string | number {
  const words = name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .toLowerCase()
  const text = inventValue({ name: words, schema, isRequired: true }, 'usual', random)
  const isNumber = schema['type'] === 'number' || schema['type'] === 'integer'
  return isNumber && Number.isFinite(Number(text)) ? Number(text) : text
}

/** The schema of the result, where the tool declares one, as tools of MCP do. */
export function parseResultSchema({ content = '' }: AgentTool): ParameterSchema | undefined {
  if (!content.trimStart().startsWith('{')) return undefined
  try {
    const parsed: unknown = JSON.parse(content)
    const whole = isSchema(parsed) && isSchema(parsed['function']) ? parsed['function'] : parsed
    if (!isSchema(whole)) return undefined
    return [whole['outputSchema'], whole['output_schema'], whole['returns']].find(isSchema)
  } catch {
    return undefined
  }
}

/** Of recorded results: a median of 190 tokens, 90% below about 390. */
const medianLength = 190 * 4
const lengthSpread = 0.55
const lengthRange = [60, 12_000] as const

const statuses = ['active', 'open', 'confirmed', 'pending', 'completed'] as const
const details = [
  'Created online and confirmed by e-mail.',
  'The customer asked for a call back in the morning.',
  'Checked by the night shift, no problems found.',
  'Includes the standard service without extras.',
  'Delivery to the side entrance, ring twice.',
  'Updated after the last contact, see the earlier entry.',
  'Priority was raised once and lowered again.',
  'A copy was sent to the address on file.',
] as const

/** A record with the members `known`, and others up to a length, by default a usual one. */
export function inventRecord(known: Fields, seed: string, lengthMin?: number): Fields {
  const random = openRandom(seed)
  const usual = usualLength(random)
  const length = lengthMin === undefined ? usual : Math.min(lengthMin, lengthRange[1])
  const day = 1 + random.below(28)
  const record: Record<string, unknown> = {
    ...known,
    status: random.pick(statuses),
    updated_at: `2026-0${1 + random.below(9)}-${String(day).padStart(2, '0')}T09:${10 + random.below(49)}:00Z`,
  }
  const notes: string[] = []
  for (let size = JSON.stringify(record).length; size < length; ) {
    const note = random.pick(details)
    notes.push(note)
    size += note.length + 3
  }
  return notes.length === 0 ? record : { ...record, history: notes }
}

/** Log-normal; the sum of twelve uniform numbers is nearly normal. */
function usualLength(random: Random): number {
  const uniform = Array.from({ length: 12 }, () => random.below(1000) / 1000)
  const normal = uniform.reduce((sum, one) => sum + one, -6)
  const [least, most] = lengthRange
  return Math.min(most, Math.max(least, medianLength * Math.exp(lengthSpread * normal)))
}
