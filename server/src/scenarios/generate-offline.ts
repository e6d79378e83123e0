import type { AgentConfig } from '@assay/contract/agent-config.ts'
import { type Cell, type Plan, planCells, seedOf } from './coverage.ts'
import { type ScenarioContent, type ScenarioText, toContent } from './scenario-text.ts'
import { openSeenTexts, type SeenTexts } from './similarity.ts'
import { writeFromTemplate } from './write-from-template.ts'

/*
 * The generator that needs no model: deterministic, so that the same agent has the same scenarios.
 */

export function generateOffline(plan: Plan): readonly ScenarioContent[] {
  const fill = openTemplates(plan.agent)
  return planCells(plan).map(fill)
}

/** Fills cells from templates, with other words if the text nearly repeats an earlier one. */
export function openTemplates(
  agent: AgentConfig,
  seen: SeenTexts = openSeenTexts(),
): (cell: Cell) => ScenarioContent {
  const seed = seedOf(agent)
  return (cell) => {
    let text = writeFromTemplate(cell, seed)
    for (let attempt = 1; attempt < attemptsMax && !seen.add(wordsOf(text)); attempt += 1) {
      text = writeFromTemplate(cell, `${seed} ${attempt}`)
    }
    return toContent(cell, text, 'template')
  }
}

const attemptsMax = 5

/** What two scenarios are compared by. */
export function wordsOf({ turns }: ScenarioText): string {
  return turns.map(({ content }) => content).join(' ')
}
