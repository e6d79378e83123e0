import type { AgentTool } from '@assay/contract/agent-config.ts'
import { isSchema, parseParameters } from '../domain/tool-parameters.ts'

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

function toType(schema: unknown, indent: string, depth = 0): string {
  if (!isSchema(schema) || depth > depthMax) return 'any'
  const { type, properties, items, required } = schema
  const values = schema['enum']
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ')
  if (isSchema(properties)) {
    const needed = new Set(Array.isArray(required) ? required : [])
    const fields = Object.entries(properties).map(([key, value]) => {
      const about = isSchema(value) ? value['description'] : undefined
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
