import type { AgentExtraction } from '@assay/contract/trace-runs.ts'

/** Where the suggested prompt is in the list, which has the newest first. 0 if none was recorded. */
export function findSuggestedPrompt({
  systemPrompts,
  suggestion,
}: Pick<AgentExtraction, 'systemPrompts' | 'suggestion'>): number {
  const at = systemPrompts.findIndex(({ text }) => text === suggestion.system_prompt)
  return Math.max(0, at)
}
