import type { RetrievedItem, SpanText } from '../../domain/trace-view/trace-view.ts'
import type { DeterministicEvaluator } from '../evaluator.ts'
import { type Check, notApplicable, quotePart, shareOfGood } from '../verdicts.ts'

const citationsMax = 200
const itemsMax = 2000

export const citationsValid: DeterministicEvaluator = {
  key: 'faithfulness.citations-valid',
  name: 'Citations valid',
  description:
    'The share of citation markers in the answer, such as [2] or [policy.md], that name a retrieved item by its rank or id, and whose sentence shares a number, a name or two rare words with that item. Checks the first 200 markers against the first 2,000 items. Does not apply to a trace without retrieved items, or to an answer without markers.',
  threshold: 0.9,
  use: 'gate',
  reads: ['output', 'retrieved items'],
  evaluate({ output, retrievals }) {
    const items = retrievals.flatMap((one) => one.items).slice(0, itemsMax)
    if (items.length === 0) return notApplicable('The trace has no retrieved items.')
    if (output === undefined) return notApplicable('The trace has no answer.')
    const citations = findCitations(output.text, items)
    if (citations.length === 0) return notApplicable('The answer has no citation markers.')
    const rare = new RareWords(items)
    return shareOfGood(
      citations.map((one) => check(one, output, items, rare)),
      ['citation', 'citations'],
    )
  },
}

interface Citation {
  readonly label: string
  readonly start: number
  readonly end: number
}

const markerPattern =
  /(?:\[\^?|【)((?:doc(?:ument)?|source|ref)?[\s:#_-]{0,3}[^[\]【】†\n]{1,120})(?:†[^】\n]{0,60})?[\]】](?!\()/gi

/** Other brackets are text: a marker is a number, or names an item. */
function findCitations(text: string, items: readonly RetrievedItem[]): readonly Citation[] {
  const ids = new Set(items.map(({ id }) => id.toLowerCase()))
  const plain = text
    .slice(0, 100_000)
    .replace(/```[\s\S]*?(?:```|$)|`[^`\n]*`/g, (code) => ' '.repeat(code.length))
  return [...plain.matchAll(markerPattern)]
    .flatMap(({ 0: whole, 1: inside = '', index }) => {
      const labels = inside.split(/[,;]\s*\^?/).map((label) => label.trim().toLowerCase())
      const isMarker = labels.every(
        (label) =>
          /^(?:doc(?:ument)?|source|ref)?[\s:#_-]{0,3}\d{1,4}$/.test(label) || ids.has(label),
      )
      return isMarker
        ? labels.map((label) => ({ label, start: index, end: index + whole.length }))
        : []
    })
    .slice(0, citationsMax)
}

function check(
  { label, start, end }: Citation,
  output: SpanText,
  items: readonly RetrievedItem[],
  rare: RareWords,
): Check {
  const cited = itemsOf(label, items)
  const sentence = readSentence(sentenceAround(output.text, start, end))
  const isSupported = cited.some((item) => rare.shares(sentence, item))
  return {
    isGood: isSupported,
    issue:
      cited.length === 0
        ? `The citation [${label}] names none of the ${items.length} retrieved items.`
        : `The sentence before [${label}] shares no number, name or rare words with "${cited[0]!.id}".`,
    evidence: () => quotePart(output, start, end),
  }
}

/** By id, else by rank in a retrieval, or by position in all of them. */
function itemsOf(label: string, items: readonly RetrievedItem[]): readonly RetrievedItem[] {
  const byId = items.filter(({ id }) => id.toLowerCase() === label)
  if (byId.length > 0) return byId
  const number = Number(/\d+$/.exec(label)?.[0])
  return items.filter(({ rank }, index) => rank === number || index + 1 === number)
}

const sentenceMax = 600

/** The sentence that ends with the marker, or contains it. */
function sentenceAround(text: string, start: number, end: number): string {
  const before = text
    .slice(Math.max(0, start - sentenceMax), start)
    .replace(/(?:\s*(?:\[[^\]\n]{1,120}\]|【[^】\n]{1,120}】))+\s*$/, '')
  const from = before.search(/[^.!?\n]+[.!?]?\s*$/)
  const after = /^[^.!?\n[【]{0,600}/.exec(text.slice(end, end + sentenceMax))?.[0] ?? ''
  return `${from === -1 ? before : before.slice(from)} ${after}`
}

interface Words {
  readonly all: ReadonlySet<string>
  readonly numbers: ReadonlySet<string>
}

function wordsIn(text: string): Words {
  const words =
    text
      .slice(0, 20_000)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+(?:[.,]\d+)*/gu) ?? []
  return {
    all: new Set(words.filter((word) => word.length > 2 && !/\d/.test(word)).map(stem)),
    numbers: new Set(words.filter((word) => /\d/.test(word))),
  }
}

/** Enough that `return` and `returned` are one word. */
function stem(word: string): string {
  return word.length > 6 ? word.slice(0, 6) : word.replace(/s$/, '')
}

/** Read once for all items that a marker names. */
interface Sentence {
  readonly words: Words
  /** Stems of words that begin with a capital letter within the sentence. */
  readonly names: ReadonlySet<string>
}

function readSentence(text: string): Sentence {
  const names = text.match(/(?<=\S\s{1,3})\p{Lu}[\p{L}-]{2,30}/gu) ?? []
  return { words: wordsIn(text), names: new Set(names.map((name) => stem(name.toLowerCase()))) }
}

class RareWords {
  readonly #ofItem = new Map<RetrievedItem, Words>()
  /** In how many items a word occurs. */
  readonly #frequency = new Map<string, number>()
  readonly #commonFrom: number

  constructor(items: readonly RetrievedItem[]) {
    for (const item of items) {
      const words = wordsIn(`${item.id} ${item.text}`)
      this.#ofItem.set(item, words)
      for (const word of words.all) this.#frequency.set(word, (this.#frequency.get(word) ?? 0) + 1)
    }
    this.#commonFrom = Math.max(2, items.length / 2)
  }

  shares({ words, names }: Sentence, item: RetrievedItem): boolean {
    const { all, numbers } = this.#ofItem.get(item)!
    if ([...words.numbers].some((number) => numbers.has(number))) return true
    const shared = [...words.all].filter((word) => all.has(word) && !stopWords.has(word))
    if (shared.some((word) => names.has(word))) return true
    const rare = shared.filter((word) => (this.#frequency.get(word) ?? 0) <= this.#commonFrom)
    return rare.length >= 2
  }
}

const stopWords = new Set(
  'the and for are was were has have had with that this from not you your can will all any but its their they them our his her she who which what when where how than then there here also into onto about over under more most some such only very been being would could should may might must does did done out per via'
    .split(' ')
    .map(stem),
)
