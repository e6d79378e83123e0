import type { AgentConfig, AgentTool } from '@assay/contract/agent-config.ts'
import { limits } from '@assay/contract/limits.ts'
import type {
  RecordedSystemPrompt,
  RecordedTone,
  RecordedTool,
} from '@assay/contract/trace-runs.ts'
import { cutText } from './cut-text.ts'

/*
 * An agent configuration from what runs recorded. Within the limits of one: what was cut is in the notes.
 */

/** The tools of this name in all runs. */
export interface CombinedTool {
  readonly tool: RecordedTool
  readonly isTooLong: boolean
  readonly isMcp: boolean
}

interface SuggestedAgent {
  readonly agent: AgentConfig
  readonly notes: readonly string[]
}

export function suggestAgent(
  prompts: readonly RecordedSystemPrompt[],
  tone: RecordedTone,
  /** Most calls first. */
  tools: readonly CombinedTool[],
): SuggestedAgent {
  const used = prompts.reduce<RecordedSystemPrompt | undefined>(
    (best, one) => (best === undefined || isMoreUsed(one, best) ? one : best),
    undefined,
  )
  const suggested = tools.slice(0, limits.agentTools.value)
  const names = (all: readonly CombinedTool[]) => all.map(({ tool }) => tool.name).join(', ')
  const called = suggested.filter(({ tool }) => tool.source === 'called')
  const changed = suggested.filter(({ tool }) => tool.definitions > 1)
  const isLong = ({ tool }: CombinedTool) =>
    tool.description.length > limits.agentToolDescriptionLength.value
  const note = (all: readonly unknown[], text: string) => (all.length === 0 ? [] : [text])
  return {
    agent: {
      system_prompt: used?.text ?? missingPrompt,
      tone: cutText(tone.text, limits.agentToneLength.value),
      tools: suggested.map(toAgentTool),
      memory: '',
    },
    notes: [
      ...(used === undefined
        ? ['No run has a system prompt in its messages. Enter the one of your agent.']
        : []),
      ...(used?.isCut === true
        ? [`The system prompt is cut at ${limits.systemPromptLength.value} characters.`]
        : []),
      ...(prompts.length > 1
        ? [
            `The runs have ${prompts.length} system prompts. The suggestion has the one of the most runs.`,
          ]
        : []),
      ...(tools.length > suggested.length
        ? [
            `The suggestion has the ${suggested.length} tools with the most calls, of ${tools.length}.`,
          ]
        : []),
      ...note(
        called,
        `No run has a definition of these tools, and their parameters follow from their calls: ${names(called)}.`,
      ),
      ...note(
        changed,
        `The definitions of these tools differ; the newest counts: ${names(changed)}.`,
      ),
      ...note(
        suggested.filter(isLong),
        `These descriptions are cut at ${limits.agentToolDescriptionLength.value} characters: ${names(suggested.filter(isLong))}.`,
      ),
      ...note(
        suggested.filter(({ isTooLong }) => isTooLong),
        `The schemas of these tools are too long and left out: ${names(suggested.filter(({ isTooLong }) => isTooLong))}.`,
      ),
    ],
  }
}

const missingPrompt = 'You are a helpful assistant.'

/** Of equally used ones, the first is the newest. */
function isMoreUsed(one: RecordedSystemPrompt, other: RecordedSystemPrompt): boolean {
  return one.runs === other.runs ? one.calls > other.calls : one.runs > other.runs
}

function toAgentTool({ tool, isMcp }: CombinedTool): AgentTool {
  const { name, description, parameters } = tool
  return {
    ...{ kind: isMcp ? 'connector' : 'tool', mode: 'simulated', name },
    description: cutText(description, limits.agentToolDescriptionLength.value),
    ...(parameters !== null && { content: JSON.stringify(parameters) }),
  }
}
