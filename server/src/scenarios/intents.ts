import type { AgentConfig, AgentTool } from '@assay/contract/agent-config.ts'
import { isSchema, type ParameterSchema, parseParameters } from '../domain/tool-parameters.ts'

/*
 * What users come for: what each tool of the agent does, two of them in a row, or nothing that needs a tool.
 */

export interface Intent {
  /** After "I want to". */
  readonly action: string
  /** Names of the tools. */
  readonly tools: readonly string[]
  /** What the first tool needs. */
  readonly parameters: readonly Parameter[]
}

export interface Parameter {
  readonly name: string
  readonly schema: ParameterSchema
  readonly isRequired: boolean
}

/** At least one; those that need a tool first, so that each tool has a scenario before others repeat. */
export function listIntents({ tools }: AgentConfig): readonly Intent[] {
  const ofTools = tools.map(toIntent)
  const pairs = ofTools.flatMap((intent, at) => {
    const next = ofTools[at + 1]
    return next === undefined || next.action === intent.action ? [] : [inARow(intent, next)]
  })
  const missing = intentsMin - ofTools.length - pairs.length
  return [...ofTools, ...withoutTool.slice(0, Math.max(withoutToolMin, missing)), ...pairs]
}

/** With fewer, the scenarios of a large run would repeat. */
const intentsMin = 9
const withoutToolMin = 2

const withoutTool: readonly Intent[] = [
  'find out what you can do for me',
  'understand how this works',
  'compare my options',
  'get a recommendation',
  'know what I have to prepare',
  'check whether my plan makes sense',
  'report a problem',
  'know how long it usually takes',
  'get step-by-step instructions',
  'know what it would cost',
].map((action) => ({ action, tools: [], parameters: [] }))

function toIntent({ kind, name, content = '' }: AgentTool): Intent {
  const words = splitName(name)
  const parameters = listParameters(parseParameters(content))
  return { action: toAction(kind, words), tools: [name], parameters }
}

function inARow(first: Intent, second: Intent): Intent {
  return {
    action: `${first.action} and then ${second.action}`,
    tools: [...first.tools, ...second.tools],
    parameters: first.parameters,
  }
}

const nameLengthMax = 60

/** The words of `look_up_order`, `lookUpOrder` or `orders.lookUp`. */
function splitName(name: string): readonly string[] {
  const words = name
    .slice(0, nameLengthMax)
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  return words.length === 0 ? ['request'] : words
}

/** Words of an API in those of a user. */
const verbs: Readonly<Record<string, string>> = {
  ...{ get: 'see', fetch: 'see', read: 'see', retrieve: 'see', query: 'see', lookup: 'look up' },
  ...{ list: 'see', show: 'see', view: 'see', describe: 'see', load: 'see' },
  ...{ delete: 'delete', remove: 'remove', add: 'add', insert: 'add', create: 'create' },
  ...{ put: 'change', patch: 'change', update: 'change', edit: 'change', modify: 'change' },
  ...{ set: 'set', post: 'send', submit: 'submit', send: 'send', write: 'write', make: 'make' },
}
const plainVerbs = new Set(
  'look find search cancel book check order buy pay refund return exchange change track schedule reschedule calculate compute convert translate summarize explain compare open close start stop run execute upload download save share invite approve reject assign transfer move copy rename reset verify confirm validate register sign log request reserve rent hire apply issue print export import connect disconnect enable disable activate deactivate block unblock report escalate notify call message email ask browse scan generate draft plan estimate renew extend upgrade downgrade redeem claim file answer think'.split(
    ' ',
  ),
)
const particles = new Set(['up', 'out', 'in', 'off', 'on', 'for', 'to', 'back', 'about'])

function toAction(kind: AgentTool['kind'], [first = '', ...rest]: readonly string[]): string {
  const noun = [first, ...rest].join(' ')
  if (kind === 'memory') return `use what you remember about ${noun}`
  const verb = verbs[first] ?? (plainVerbs.has(first) ? first : undefined)
  if (kind === 'skill' || verb === undefined) return `get help with ${noun}`
  const [next = ''] = rest
  const isParticle = particles.has(next)
  const object = (isParticle ? rest.slice(1) : rest).filter((word) => word !== 'the').join(' ')
  return [isParticle ? `${verb} ${next}` : verb, object === '' ? 'it' : `the ${object}`].join(' ')
}

const parametersMax = 6

function listParameters(schema: ParameterSchema | undefined): readonly Parameter[] {
  const properties = schema?.['properties']
  if (!isSchema(properties)) return []
  const required = schema?.['required']
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name)
  return Object.entries(properties)
    .map(([name, one]) => ({
      ...{ name: splitName(name).join(' '), schema: isSchema(one) ? one : {} },
      isRequired: isRequired(name),
    }))
    .toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired))
    .slice(0, parametersMax)
}
