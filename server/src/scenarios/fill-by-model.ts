import type { AgentConfig } from '@assay/contract/agent-config.ts'
import { inOrderOfCompletion } from '../platform/in-order-of-completion.ts'
import type { Cell } from './coverage.ts'
import { cellsPerCall } from './fill-prompt.ts'
import { openTemplates, wordsOf } from './generate-offline.ts'
import { type ScenarioContent, type ScenarioText, toContent } from './scenario-text.ts'
import { openSeenTexts, type SeenTexts } from './similarity.ts'

/*
 * Fills cells with the texts of a model: in batches, a second time for those that it did not write or that repeat
 * another, and from templates for the rest.
 */

/** What a call wrote, by position, or why it wrote nothing. */
export type Written =
  | { readonly texts: ReadonlyMap<number, ScenarioText> }
  | { readonly problem: string }

export interface FillPorts {
  /** Does not reject. */
  readonly write: (cells: readonly Cell[], avoidedNames: readonly string[]) => Promise<Written>
  /** Whether there is time for another call. */
  readonly hasTime: () => boolean
  readonly signal: AbortSignal
  readonly callsAtOnce: number
  /** Of scenarios that exist, and are not to be repeated. */
  readonly earlier?: EarlierTexts
}

export interface EarlierTexts {
  readonly seen: SeenTexts
  readonly names: readonly string[]
}

export interface Filled {
  readonly cell: Cell
  readonly content: ScenarioContent
}

/** The message is for users. */
export class EveryCallFailed extends Error {
  constructor(problem: string) {
    super(problem)
    this.name = 'EveryCallFailed'
  }
}

const rounds = 2
/** A model that never answered so often does not answer at all. */
const failuresMax = 10
const avoidedNamesMax = 20

/** Each batch as it arrives. Throws EveryCallFailed if none did, and the reason of the signal. */
export async function* fillByModel(
  agent: AgentConfig,
  cells: readonly Cell[],
  ports: FillPorts,
): AsyncGenerator<readonly Filled[]> {
  const { seen = openSeenTexts(), names: earlierNames = [] } = ports.earlier ?? {}
  const outcome = openOutcome()
  const names = [...earlierNames]
  let empty = cells
  for (let round = 0; round < rounds && !outcome.isHopeless(); round += 1) {
    const filled = new Set<number>()
    for await (const { batch, written } of writeBatches(empty, names, outcome, ports)) {
      ports.signal.throwIfAborted()
      outcome.count(written)
      if (!('texts' in written)) continue
      const fresh = batch.flatMap((cell) => {
        const text = written.texts.get(cell.position)
        if (text === undefined || !seen.add(wordsOf(text))) return []
        return [{ cell, content: toContent(cell, text, 'model') }]
      })
      for (const { cell, content } of fresh) {
        filled.add(cell.position)
        names.push(content.name)
      }
      if (fresh.length > 0) yield fresh
    }
    empty = empty.filter(({ position }) => !filled.has(position))
    if (empty.length === 0) return
  }
  ports.signal.throwIfAborted()
  outcome.throwIfEveryCallFailed()
  const fill = openTemplates(agent, seen)
  for (let at = 0; at < empty.length; at += cellsPerCall) {
    yield empty.slice(at, at + cellsPerCall).map((cell) => ({ cell, content: fill(cell) }))
  }
}

interface Batch {
  readonly batch: readonly Cell[]
  readonly written: Written
}

function writeBatches(
  cells: readonly Cell[],
  names: readonly string[],
  outcome: Outcome,
  { write, hasTime, signal, callsAtOnce }: FillPorts,
): AsyncGenerator<Batch> {
  const count = Math.ceil(cells.length / cellsPerCall)
  const batches = Array.from({ length: count }, (_, at) =>
    cells.slice(at * cellsPerCall, (at + 1) * cellsPerCall),
  )
  return inOrderOfCompletion(batches, callsAtOnce, async (batch) => {
    const isOver = signal.aborted || outcome.isHopeless() || !hasTime()
    const written = isOver ? { problem: noTime } : await write(batch, names.slice(-avoidedNamesMax))
    return { batch, written }
  })
}

const noTime = 'There was no time left for the model.'
const noneUsable = 'The model wrote no usable scenario.'

type Outcome = ReturnType<typeof openOutcome>

function openOutcome() {
  let hasSuccess = false
  let failures = 0
  let problem = noTime
  return {
    count(written: Written) {
      if ('texts' in written && written.texts.size > 0) hasSuccess = true
      else failures += 1
      const reason = 'problem' in written ? written.problem : noneUsable
      if (reason !== noTime) problem = reason
    },
    isHopeless: () => !hasSuccess && failures >= failuresMax,
    throwIfEveryCallFailed() {
      if (!hasSuccess) throw new EveryCallFailed(problem)
    },
  }
}
