import type { ScenarioSummary } from '@assay/contract/scenarios.ts'

/*
 * The messages of a scenario as one text, with a line of dashes between two of them.
 */

export function joinTurns(turns: ScenarioSummary['turns']): string {
  return turns.map(({ content }) => content).join('\n---\n')
}

export function splitTurns(text: string): ScenarioSummary['turns'] {
  return text
    .split(/^\s*-{3,}\s*$/m)
    .map((content) => content.trim())
    .filter(Boolean)
    .map((content) => ({ role: 'user', content }))
}
