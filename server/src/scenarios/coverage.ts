import { createHash } from 'node:crypto'
import type { AgentConfig } from '@assay/contract/agent-config.ts'
import { type ScenarioCategory, scenarioCategories } from '@assay/contract/scenarios.ts'
import { allocateCategories } from '../cost-estimate/category-mix.ts'
import { type Complication, complications } from './complications.ts'
import { type Intent, listIntents } from './intents.ts'
import { type Persona, personas } from './personas.ts'

/*
 * The coverage matrix: which combination of category, intent, persona, complication and length each scenario has. It is
 * planned before any text is written, so that scenarios differ whoever writes them.
 */

export interface Cell {
  /** Of the scenario in its run, from 0. */
  readonly position: number
  readonly category: ScenarioCategory
  readonly intent: Intent
  /** For users who want something else as well. */
  readonly otherIntent: Intent
  readonly persona: Persona
  readonly complication: Complication | null
  /** Messages of the user. */
  readonly turns: number
}

export interface Plan {
  readonly agent: AgentConfig
  readonly scenarioCount: number
  readonly includeMultiTurn: boolean
}

/** In the order of the scenarios; the same for the same plan. */
export function planCells(plan: Plan): readonly Cell[] {
  const intents = listIntents(plan.agent)
  const seed = seedOf(plan.agent)
  const counts = allocateCategories(plan)
  const before: Record<string, number> = {}
  let sum = 0
  for (const category of scenarioCategories) {
    before[category] = sum
    sum += counts[category]
  }
  // Categories continue where the one before stopped, so that together they reach all intents.
  return interleave(counts).map(({ category, index }, position) =>
    cellAt({ category, position, index, firstIntent: before[category] ?? 0 }, intents, seed),
  )
}

/** The cell at a position, with the category that its scenario has. */
export function planCell(plan: Plan, position: number, category: ScenarioCategory): Cell {
  const cells = planCells(plan)
  const planned = cells[position] ?? cells[0]
  if (planned === undefined) throw new Error('a plan has at least one cell')
  const cell = { ...planned, position }
  if (cell.category === category) return cell
  const ofCategory = complications[category]
  const complication = ofCategory[position % ofCategory.length] ?? null
  return { ...cell, category, complication, turns: turnsOf(complication) }
}

/** Changes with the agent. */
export function seedOf(agent: AgentConfig): string {
  return createHash('sha256').update(JSON.stringify(agent)).digest('hex')
}

/** Two scenarios with the same key are the same but for their words. */
export function structuralKey({ category, intent, persona, complication, turns }: Cell): string {
  const tools = intent.tools.join()
  return [category, intent.action, tools, persona.short, complication?.label, turns].join('|')
}

interface Slot {
  readonly category: ScenarioCategory
  /** Among those of its category. */
  readonly index: number
}

/** Each category evenly spread, so that the first scenarios have the same mix as all. */
function interleave(counts: Readonly<Record<ScenarioCategory, number>>): readonly Slot[] {
  const slots = scenarioCategories.flatMap((category, rank) =>
    Array.from({ length: counts[category] }, (_, index) => ({
      ...{ category, index, rank, at: (index + 0.5) / counts[category] },
    })),
  )
  return slots.toSorted((a, b) => a.at - b.at || a.rank - b.rank)
}

interface CellPlace extends Slot {
  readonly position: number
  readonly firstIntent: number
}

/**
 * The combination with this index: intents change fastest, and persona and complication are shifted with each, so that
 * no combination repeats before all have been used.
 */
function cellAt(
  { category, position, index, firstIntent }: CellPlace,
  intents: readonly Intent[],
  seed: string,
): Cell {
  const shift = Number.parseInt(seed.slice(0, 6), 16)
  const ofCategory = complications[category]
  const atIntent = (index + firstIntent) % intents.length
  const round = Math.floor(index / intents.length)
  const atPersona =
    (round + atIntent + shift + scenarioCategories.indexOf(category)) % personas.length
  const lap = Math.floor(round / personas.length)
  // The first complication of a happy path is none, which most of them have.
  const moved = category === 'happy_path' ? 0 : atIntent + round
  const complication = ofCategory[(lap + moved) % ofCategory.length] ?? null
  const at = (list: readonly Intent[], place: number) => list[place % list.length] ?? noIntent
  return {
    ...{ position, category, complication, intent: at(intents, atIntent) },
    otherIntent: at(intents, atIntent + 1),
    persona: personas[atPersona] ?? personas[0],
    turns: turnsOf(complication) + (category === 'multi_turn' ? 2 * (index % 3) : 0),
  }
}

function turnsOf(complication: Complication | null): number {
  return 1 + (complication?.later?.length ?? 0)
}

const noIntent: Intent = { action: 'get help', tools: [], parameters: [] }
