import type { AgentTool } from '@assay/contract/agent-config.ts'

/*
 * The text in which a model reads a tool: as JSON, or typed like a function of TypeScript, which takes about half as many
 * tokens. OpenAI is believed to use the latter.
 */

export interface ToolText {
  readonly typed: string
  readonly json: string
}

export function toToolText({ name, description, content = '' }: AgentTool): ToolText {
  const schema = parseParameters(content)
  // A text that is no schema is part of the description.
  const about = schema === undefined ? `${description}\n${content}`.trim() : description
  const parameters = schema ?? { type: 'object', properties: {} }
  return {
    typed: `${comment(about, '')}type ${name} = (_: ${toType(parameters, '')}) => any;\n\n`,
    json: JSON.stringify({ name, description: about, parameters }),
  }
}

type Schema = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The schema itself, or that of a whole function as providers describe one. */
function parseParameters(content: string): Schema | undefined {
  const parsed = parse(content)
  if (!isObject(parsed)) return undefined
  const whole = isObject(parsed['function']) ? parsed['function'] : parsed
  for (const key of ['parameters', 'input_schema', 'inputSchema']) {
    if (isObject(whole[key])) return whole[key]
  }
  return 'type' in whole || 'properties' in whole ? whole : undefined
}

function parse(content: string): unknown {
  if (!content.trimStart().startsWith('{')) return undefined
  try {
    return JSON.parse(content)
  } catch {
    return undefined
  }
}

function toType(schema: unknown, indent: string, depth = 0): string {
  if (!isObject(schema) || depth > depthMax) return 'any'
  const { type, properties, items, required } = schema
  const values = schema['enum']
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ')
  if (isObject(properties)) {
    const needed = new Set(Array.isArray(required) ? required : [])
    const fields = Object.entries(properties).map(([key, value]) => {
      const about = isObject(value) ? value['description'] : undefined
      const mark = needed.has(key) ? '' : '?'
      const fieldType = toType(value, `${indent}  `, depth + 1)
      return `${comment(about, indent)}${indent}${key}${mark}: ${fieldType},\n`
    })
    return `{\n${fields.join('')}${indent}}`
  }
  if (type === 'array') {
    const item = toType(items, indent, depth + 1)
    return item.includes(' | ') ? `(${item})[]` : `${item}[]`
  }
  if (type === 'integer') return 'number'
  return typeof type === 'string' ? type : 'any'
}

/** JSON bodies are limited in depth, but the content of a tool is a text. */
const depthMax = 32

function comment(about: unknown, indent: string): string {
  return typeof about === 'string' && about !== '' ? `${indent}// ${about}\n` : ''
}
