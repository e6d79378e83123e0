import type { ScenarioSummary } from '@assay/contract/scenarios.ts'
import type { Cell } from './coverage.ts'

/** What is written for a cell, by a model or from templates. */
export type ScenarioText = Pick<ScenarioSummary, 'name' | 'conversation_plan' | 'turns'>

export type ScenarioContent = Omit<ScenarioSummary, 'id'>

export function toContent(
  { category, intent, persona, complication }: Cell,
  text: ScenarioText,
  origin: ScenarioSummary['origin'],
): ScenarioContent {
  return {
    ...{ name: text.name, category, conversation_plan: text.conversation_plan, turns: text.turns },
    ...{ origin, intent: intent.action, tools: [...intent.tools], persona: persona.label },
    complication: complication?.label ?? null,
  }
}
