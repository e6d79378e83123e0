import type { AgentConfig } from '@assay/contract/agent-config.ts'
import type { Blueprint } from '@assay/contract/blueprint.ts'

/** The agent of a blueprint for the cost calculator, which has no place for records, goals and policies. */
export function toAgentConfig({ agent }: Blueprint): AgentConfig {
  const { system_prompt, tone, memory, tools } = agent
  return {
    ...{ system_prompt, tone, memory },
    tools: tools.map(({ kind, name, mode, description, content }) => ({
      ...{ kind, name, mode, description },
      ...(content === undefined ? {} : { content }),
    })),
  }
}
