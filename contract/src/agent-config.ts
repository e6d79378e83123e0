import { z } from 'zod'
import { limits } from './limits.ts'

/*
 * The agent that the cost calculator estimates and simulates.
 */

const upTo = (limit: { readonly value: number }) => z.string().max(limit.value)

export const agentToolKinds = ['skill', 'memory', 'tool', 'connector'] as const

export const agentTool = z
  .object({
    kind: z.enum(agentToolKinds).default('tool'),
    name: upTo(limits.agentToolNameLength).min(1),
    mode: z.enum(['simulated', 'real']).default('simulated'),
    description: upTo(limits.agentToolDescriptionLength).default(''),
    content: upTo(limits.agentToolContentLength)
      .optional()
      .describe('the JSON Schema of its parameters, or any text that the model reads'),
  })
  .meta({ id: 'AgentTool' })
export type AgentTool = z.output<typeof agentTool>

export const agentConfig = z
  .object({
    system_prompt: upTo(limits.systemPromptLength).min(1),
    tone: upTo(limits.agentToneLength).default(''),
    tools: z.array(agentTool).max(limits.agentTools.value).default([]),
    memory: upTo(limits.agentMemoryLength).default(''),
  })
  .meta({ id: 'AgentConfig' })
export type AgentConfig = z.output<typeof agentConfig>

/** As responses have it: every member is set. */
export const completeAgentConfig = z
  .object({
    ...agentConfig.shape,
    tools: z
      .array(z.object(agentTool.shape).meta({ id: 'CompleteAgentTool' }))
      .max(limits.agentTools.value),
  })
  .meta({ id: 'CompleteAgentConfig' })
