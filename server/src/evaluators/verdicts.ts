import { limits } from '@assay/contract/limits.ts'
import { parsed } from '@assay/contract/message-parts.ts'
import { textOf, textsIn } from '../domain/trace-view/canonical-json.ts'
import type { SpanText, ViewSpan } from '../domain/trace-view/trace-view.ts'
import { allAre, type Noun, someOf } from './counted.ts'
import type { Evidence, NotApplicable, Scored } from './evaluator.ts'

/*
 * Building verdicts.
 */

export function notApplicable(reasoning: string): NotApplicable {
  return { status: 'not_applicable', reasoning: cut(reasoning) }
}

/** More issues and quotes than these make a result harder to read, not more convincing. */
const issuesMax = limits.evaluationIssues.value
const evidenceMax = limits.evaluationQuotes.value

/** Of the evidence, only as much is read as a result has: an iterator can find each quote when it is read. */
export function scored(
  score: number,
  reasoning: string,
  found: { readonly issues?: readonly string[]; readonly evidence?: Iterable<Evidence> } = {},
): Scored {
  const issues = (found.issues ?? []).slice(0, issuesMax).map(cut)
  const evidence = Iterator.from(found.evidence ?? [])
    .take(evidenceMax)
    .toArray()
  const bounded = Math.min(1, Math.max(0, score))
  return { status: 'scored', score: bounded, reasoning: cut(reasoning), issues, evidence }
}

/** Names in a trace, such as those of tools, can be as long as the trace, and results are stored. */
const sentenceMax = 2000

function cut(sentence: string): string {
  return sentence.length <= sentenceMax
    ? sentence
    : `${sentence.slice(0, sentenceMax)}…`.toWellFormed()
}

/** One thing that was checked. */
export interface Check {
  readonly isGood: boolean
  /** What is wrong, a sentence. Used if it is not good. */
  readonly issue: string
  /** Called for the quotes of the result only: finding one can take as long as reading its span. */
  readonly evidence: () => Evidence
}

/**
 * The share of good checks, with an issue and a quote for each other one. `noun` is what was checked.
 */
export function shareOfGood(checks: readonly Check[], noun: Noun): Scored {
  const bad = checks.filter(({ isGood }) => !isGood)
  const good = checks.length - bad.length
  const [worst] = bad
  const reasoning =
    worst === undefined
      ? `${allAre(checks.length, noun)} right.`
      : checks.length === 1
        ? worst.issue
        : `${someOf(good, checks.length, noun)} are right. ${worst.issue}`
  const issues = bad.map(({ issue }) => issue)
  return scored(good / checks.length, reasoning, {
    issues,
    evidence: bad.values().map(({ evidence }) => evidence()),
  })
}

const quoteMax = 200

/** The beginning of a text as a quote. */
export function quoteText({ spanId, text }: SpanText): Evidence {
  return { spanId, quote: shortened(text.trim()) }
}

/** The surroundings of a part of a text. */
export function quotePart({ spanId, text }: SpanText, start: number, end: number): Evidence {
  const margin = Math.max(0, Math.floor((quoteMax - (end - start)) / 2))
  const from = Math.max(0, start - margin)
  return { spanId, quote: shortened(text.slice(from, Math.min(text.length, end + margin)).trim()) }
}

/** A value of a span: text as it is, anything else as the first text in it, or as JSON. */
export function quoteValue(
  { spanId, name }: Pick<ViewSpan, 'spanId' | 'name'>,
  value: unknown,
): Evidence {
  const [first] = typeof value === 'object' ? textsIn(value) : [textOf(value)]
  return { spanId, quote: shortened(first === undefined || first === '' ? name : first) }
}

/** Cut without an ellipsis, because a quote is a part of the text. */
function shortened(text: string): string {
  return text
    .slice(0, quoteMax)
    .toWellFormed()
    .replace(/\uFFFD$/, '')
}

/** Whether the quote is in a text of the span: its name, messages, attributes, input or output, as text or as JSON. */
export function isQuoteOf(span: ViewSpan, quote: string): boolean {
  if (quote === '' || /[*…•]/.test(quote)) return quote !== ''
  const texts = textsOfSpans.get(span) ?? new TextsReadOnce(textsOf(span))
  textsOfSpans.set(span, texts)
  return texts.has((text) => text.includes(quote))
}

/** Quotes are often of one span, which can be as large as the trace. */
const textsOfSpans = new WeakMap<ViewSpan, TextsReadOnce>()

class TextsReadOnce {
  readonly #read: string[] = []
  readonly #rest: Iterator<string>

  constructor(texts: Iterator<string>) {
    this.#rest = texts
  }

  has(isSearched: (text: string) => boolean): boolean {
    if (this.#read.some(isSearched)) return true
    for (let next = this.#rest.next(); next.done !== true; next = this.#rest.next()) {
      this.#read.push(next.value)
      if (isSearched(next.value)) return true
    }
    return false
  }
}

function* textsOf({ name, statusMessage, ...span }: ViewSpan): Generator<string> {
  yield name
  if (statusMessage !== null) yield statusMessage
  const values = [span.input, span.output, span.attributes, span.events]
  for (const value of values) yield* nestedTexts(value)
  for (const value of values) yield JSON.stringify(value) ?? ''
}

const nestedMax = 2

/** Also in texts that are JSON themselves, as some conventions write messages. */
function* nestedTexts(value: unknown, depth = 0): Generator<string> {
  for (const text of textsIn(value)) {
    yield text
    const inner = depth === nestedMax ? text : parsed(text)
    if (inner !== text) yield* nestedTexts(inner, depth + 1)
  }
}

/** Sums of rounded parts must not fail a threshold that they reach. */
const tolerance = 1e-9

export function isPassing(score: number, threshold: number): boolean {
  return score >= threshold - tolerance
}
