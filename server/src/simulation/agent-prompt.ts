import type { AgentConfig, AgentTool } from '@assay/contract/agent-config.ts'
import { parseParameters } from '../domain/tool-parameters.ts'
import type { ToolDefinition } from '../model-gateway/model-call.ts'

/*
 * What the model of an agent is sent: its prompt, and the definitions of its tools.
 */

export interface AgentPrompt {
  readonly system: string
  readonly tools: readonly ToolDefinition[]
  /** By the name that the model uses. */
  readonly toolsByName: ReadonlyMap<string, AgentTool>
}

/** Skills and memories are part of the prompt; tools and connectors are called. */
export function toAgentPrompt({ system_prompt, tone, memory, tools }: AgentConfig): AgentPrompt {
  const isCallable = ({ kind }: AgentTool) => kind === 'tool' || kind === 'connector'
  const sections = [
    system_prompt,
    ...(tone === '' ? [] : [`Tone: ${tone}`]),
    ...(memory === '' ? [] : [`What you remember:\n${memory}`]),
    ...tools.filter((tool) => !isCallable(tool)).map(toSection),
  ]
  const toolsByName = new Map<string, AgentTool>()
  for (const tool of tools.filter(isCallable))
    toolsByName.set(newName(tool.name, toolsByName), tool)
  const definitions = [...toolsByName].map(([name, tool]) => toDefinition(name, tool))
  return { system: sections.join('\n\n'), tools: definitions, toolsByName }
}

function toSection({ kind, name, description, content = '' }: AgentTool): string {
  const title = kind === 'skill' ? 'Skill' : 'Memory'
  return [`${title}: ${name}`, description, content].filter((text) => text !== '').join('\n')
}

const nameLengthMax = 64

/** Providers accept few characters in names, and each name once. */
function newName(name: string, used: ReadonlyMap<string, unknown>): string {
  const plain = name.replaceAll(/[^\w-]+/g, '_').slice(0, nameLengthMax) || 'tool'
  if (!used.has(plain)) return plain
  for (let number = 2; ; number += 1) {
    const suffix = `_${number}`
    const numbered = plain.slice(0, nameLengthMax - suffix.length) + suffix
    if (!used.has(numbered)) return numbered
  }
}

function toDefinition(name: string, { description, content = '' }: AgentTool): ToolDefinition {
  const schema = parseParameters(content)
  // A text that is no schema is part of the description.
  const about = schema === undefined ? `${description}\n${content}`.trim() : description
  const isObject = schema?.['type'] === 'object'
  const parameters = isObject ? schema : { properties: {}, ...schema, type: 'object' }
  return { name, description: about, parameters }
}
