import { textOf, textsIn } from '../../domain/trace-view/canonical-json.ts'
import type { TraceView } from '../../domain/trace-view/trace-view.ts'
import { quoteIn } from '../agent/quote-call.ts'
import type { DeterministicEvaluator } from '../evaluator.ts'
import { wordsIn } from '../texts.ts'
import { notApplicable, scored } from '../verdicts.ts'

const itemsMax = 1000
const itemTextMax = 20_000
/** Of the texts in which items can be used. */
const usesTextMax = 4_000_000
/** A word in more items than these is common. */
const sharedByMax = 2
const distinctiveMin = 2

export const recallUsed: DeterministicEvaluator = {
  key: 'memory.recall-used',
  name: 'Recalled items are used',
  description:
    'The share of items from memory and retrievers that are used later: at least two of their distinctive words occur in a later answer of a model, in later arguments of a tool, or in the final answer. Words are distinctive if the request does not contain them and at most two recalled items do. Reads the first 1,000 items. Does not apply when nothing with two distinctive words was recalled.',
  threshold: 0.3,
  use: 'warn',
  reads: ['retrieved items', 'memory operations', 'output', 'tool calls'],
  evaluate(trace) {
    const items = listItems(trace)
    if (items.length === 0) return notApplicable('The trace recalls nothing.')
    const known = new Set(requestWords(trace))
    const shared = new Map<string, number>()
    for (const { words } of items) {
      for (const word of words) shared.set(word, (shared.get(word) ?? 0) + 1)
    }
    const uses = new Uses(trace)
    const checked = items.flatMap((item) => {
      const distinctive = [...item.words].filter(
        (word) => !known.has(word) && shared.get(word)! <= sharedByMax,
      )
      if (distinctive.length < distinctiveMin) return []
      const used = distinctive.filter((word) => uses.isUsedAfter(word, item.endedMs))
      return [{ item, isUsed: used.length >= distinctiveMin }]
    })
    if (checked.length === 0) {
      return notApplicable('No recalled item has two words that distinguish it.')
    }
    const unused = checked.filter(({ isUsed }) => !isUsed).map(({ item }) => item)
    const used = checked.length - unused.length
    const reasoning = `${used} of ${checked.length} recalled items are used later.`
    const issues = unused.map(({ text }) => `Not used: "${text.trim().slice(0, 100)}".`)
    const evidence = unused.values().map(({ span, text }) => quoteIn(span, text))
    return scored(used / checked.length, `${reasoning} ${issues[0] ?? ''}`.trim(), {
      issues,
      evidence,
    })
  },
}

interface Item {
  readonly span: TraceView['spans'][number]
  readonly text: string
  readonly words: ReadonlySet<string>
  readonly endedMs: number
}

function listItems({ retrievals, memoryOperations }: TraceView): Item[] {
  const retrieved = retrievals.flatMap(({ span, items }) =>
    items.map(({ text }) => ({ span, text })),
  )
  const reads = memoryOperations.flatMap(({ operation, span, value }) =>
    operation === 'read' ? listOf(value).map((one) => ({ span, text: textOf(one) })) : [],
  )
  return [...retrieved, ...reads]
    .slice(0, itemsMax)
    .map(({ span, text }) => ({ span, text, words: wordSet(text), endedMs: span.endedMs }))
}

function listOf(value: unknown): readonly unknown[] {
  if (value === null || value === '') return []
  return Array.isArray(value) ? value : [value]
}

/** Without words that occur everywhere. */
function wordSet(text: string): ReadonlySet<string> {
  const words = wordsIn(text.slice(0, itemTextMax))
  return new Set(words.filter((word) => word.length >= 4 || /^\p{N}{2,}/u.test(word)))
}

function requestWords({ input, system, retrievals }: TraceView): Iterable<string> {
  return wordSet([input?.text, system?.text, ...retrievals.map(({ query }) => query)].join('\n'))
}

/** When each word was last written by a model. */
class Uses {
  readonly #lastMs = new Map<string, number>()
  #left = usesTextMax

  constructor({ modelCalls, toolCalls, output, root }: TraceView) {
    this.#add(output?.text ?? '', root?.endedMs ?? Number.POSITIVE_INFINITY)
    // The latest first, because they are kept when there are too many.
    for (const { span, text } of modelCalls.toReversed()) this.#add(text, span.endedMs)
    for (const { span, input } of toolCalls.toReversed()) {
      this.#add([...textsIn(input)].join('\n'), span.endedMs)
    }
  }

  isUsedAfter(word: string, ms: number): boolean {
    return (this.#lastMs.get(word) ?? Number.NEGATIVE_INFINITY) >= ms
  }

  #add(text: string, ms: number): void {
    if (this.#left <= 0) return
    this.#left -= text.length
    for (const word of wordsIn(text)) {
      this.#lastMs.set(word, Math.max(ms, this.#lastMs.get(word) ?? Number.NEGATIVE_INFINITY))
    }
  }
}
