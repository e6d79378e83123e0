import type { AgentConfig } from '@assay/contract/agent-config.ts'
import type { AgentCounts } from './agent-counts.ts'
import { addCounts, noTokens } from './content-class.ts'
import { countTokens } from './count-tokens.ts'
import { toToolText } from './tool-text.ts'

/** Skills and memories are part of the prompt; tools and connectors are sent as schemas. */
export function countAgent({ system_prompt, tone, memory, tools }: AgentConfig): AgentCounts {
  const isCallable = ({ kind }: { kind: string }) => kind === 'tool' || kind === 'connector'
  const texts = tools
    .filter((tool) => !isCallable(tool))
    .map(({ name, description, content = '' }) => `${name}\n${description}\n${content}`)
  const callable = tools.filter(isCallable).map(toToolText)
  const count = (text: string) => (text === '' ? noTokens : countTokens(text))
  return {
    prompt: addCounts(...[system_prompt, tone, memory, ...texts].map(count)),
    typedTools: addCounts(...callable.map(({ typed }) => count(typed))),
    jsonTools: addCounts(...callable.map(({ json }) => count(json))),
    toolCount: callable.length,
  }
}
