import { isSchema } from '../domain/tool-parameters.ts'
import { openRandom } from '../scenarios/random.ts'
import { inventRecord } from './invent-result.ts'

/*
 * The records of one conversation: what a tool creates, changes or removes, later calls find so. The effect of a tool and
 * what it is about follow from its name, such as `cancel_order`.
 */

export type Effect = 'read' | 'list' | 'create' | 'update' | 'remove'

export interface ToolEffect {
  readonly effect: Effect
  /** `order` of `cancel_order` and `list_orders`. */
  readonly entity: string
}

type Fields = Readonly<Record<string, unknown>>

const verbs: Readonly<Record<Effect, readonly string[]>> = {
  read: [
    'get',
    'fetch',
    'read',
    'retrieve',
    'lookup',
    'look',
    'show',
    'view',
    'describe',
    'find',
    'check',
    'track',
  ],
  list: ['list', 'search', 'query', 'browse'],
  create: ['create', 'add', 'insert', 'book', 'submit', 'register', 'open', 'place', 'make'],
  update: [
    'update',
    'change',
    'edit',
    'modify',
    'set',
    'put',
    'patch',
    'reschedule',
    'cancel',
    'close',
    'refund',
    'return',
  ],
  remove: ['delete', 'remove'],
}
const effects = new Map(
  Object.entries(verbs).flatMap(([effect, names]) =>
    names.map((name) => [name, effect as Effect] as const),
  ),
)
const particles = new Set(['up', 'for', 'all', 'the', 'by', 'my', 'a', 'details', 'status', 'info'])

/** Undefined if the name has none. */
export function readEffect(toolName: string): ToolEffect | undefined {
  const [verb = '', ...rest] = toolName
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  const effect = effects.get(verb)
  const [entity] = rest.filter((word) => !particles.has(word))
  if (effect === undefined || entity === undefined) return undefined
  const isPlural = entity.endsWith('s') && !entity.endsWith('ss')
  return {
    // `get_orders` is a list.
    effect: effect === 'read' && isPlural ? 'list' : effect,
    entity: isPlural ? entity.slice(0, -1) : entity,
  }
}

export type StateAnswer =
  | { readonly value: unknown }
  /** What the tool reports instead of a result. */
  | { readonly problem: string }
  /** The record must be invented; pass it to `keep`. */
  | 'unknown'

export interface RecordState {
  apply(effect: ToolEffect, input: Fields, seed: string): StateAnswer
  /** A result that was invented for a call: returns it as the call leaves the record. */
  keep(effect: ToolEffect, input: Fields, invented: unknown): unknown
  /** What the state has about the entity, for results that depend on it. */
  describe(effect: ToolEffect | undefined): string
}

/** The arguments that are no identifier change the record. */
export function openRecordState(): RecordState {
  const entities = new Map<string, Map<string, Fields | 'removed'>>()
  const recordsOf = (entity: string) => {
    const found = entities.get(entity) ?? new Map<string, Fields | 'removed'>()
    entities.set(entity, found)
    return found
  }
  const store = ({ effect, entity }: ToolEffect, id: string, record: Fields, input: Fields) => {
    const changed = effect === 'update' ? { ...record, ...input, status: 'updated' } : record
    recordsOf(entity).set(id, effect === 'remove' ? 'removed' : changed)
    return effect === 'remove' ? { id, status: 'removed' } : changed
  }
  return {
    apply(tool, input, seed) {
      const { effect, entity } = tool
      if (effect === 'create') {
        const id = `${entity.slice(0, 3).toUpperCase()}-${10_000 + openRandom(seed).below(89_999)}`
        const record = { ...input, ...inventRecord({ id }, seed), status: 'created' }
        recordsOf(entity).set(id, record)
        return { value: record }
      }
      if (effect === 'list') return 'unknown'
      const id = readId(entity, input)
      if (id === undefined) return 'unknown'
      const record = recordsOf(entity).get(id)
      if (record === 'removed' || isUnknownId(id))
        return { problem: `No ${entity} with this identifier.` }
      return record === undefined ? 'unknown' : { value: store(tool, id, record, input) }
    },
    keep(tool, input, invented) {
      const id = readId(tool.entity, input)
      if (id === undefined || tool.effect === 'list' || !isSchema(invented)) return invented
      return store(tool, id, invented, input)
    },
    describe: (tool) =>
      tool === undefined ? '' : JSON.stringify([...(entities.get(tool.entity) ?? [])]),
  }
}

/** `order_id`, `id`, or another argument that identifies something. */
function readId(entity: string, input: Fields): string | undefined {
  const scalars = Object.entries(input).filter(
    ([, value]) => typeof value === 'string' || typeof value === 'number',
  )
  const rank = ([name]: readonly [string, unknown]) => {
    const plain = name.toLowerCase().replaceAll(/[^a-z]/g, '')
    if (plain === `${entity}id` || plain === `${entity}number` || plain === entity) return 0
    if (plain === 'id' || plain === 'number') return 1
    return /(?:id|number|code|key|reference|ref|email|sku)$/.test(plain) ? 2 : 3
  }
  const [best] = scalars.toSorted((a, b) => rank(a) - rank(b))
  return best === undefined || rank(best) === 3 ? undefined : String(best[1])
}

/** As scenarios with an unknown identifier have it. */
function isUnknownId(id: string): boolean {
  return /(?:^|\D)0{5,}$|@example\.invalid$/.test(id)
}
