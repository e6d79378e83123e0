import { isFields } from '@assay/contract/message-parts.ts'
import { canonicalJson, leavesIn } from '../../domain/trace-view/canonical-json.ts'
import type { ToolCall, ToolDefinition, TraceView } from '../../domain/trace-view/trace-view.ts'
import type { DeterministicEvaluator } from '../evaluator.ts'
import { wordsIn } from '../texts.ts'
import { notApplicable, scored } from '../verdicts.ts'
import { quoteIn } from './quote-call.ts'

/** Longer arguments, such as the text of a mail, are written and not copied. */
const copiedMax = 100
const checkedMax = 2000
/** Of the texts of evidence together. */
const evidenceTextMax = 4_000_000

export const argumentProvenance: DeterministicEvaluator = {
  key: 'agent.argument-provenance',
  name: 'Arguments come from evidence',
  description:
    'The share of arguments of tool calls that come from something the agent had seen: every word and number of the argument occurs in the system prompt, in messages of the user, in definitions of tools, or in results that earlier calls returned. Texts of 3 to 100 characters and numbers of at least 3 digits are checked; booleans, allowed values and defaults of the schema are not. A value that the agent computes, such as the date of "tomorrow", counts as invented. Reads the first 2,000 arguments and 4 MB of evidence. Does not apply when there is no such argument, or neither a message of a user nor a system prompt.',
  threshold: 0.7,
  use: 'warn',
  reads: [
    'tool calls',
    'input',
    'system prompt',
    'messages',
    'tool definitions',
    'retrieved items',
  ],
  evaluate(trace) {
    const given = listArguments(trace)
    if (given.length === 0) return notApplicable('The trace has no arguments that can be traced.')
    if (!hasRequest(trace)) {
      return notApplicable(
        'The trace has no message of a user and no system prompt that arguments could come from.',
      )
    }
    const seen = new Evidence(listSources(trace))
    const invented = given.filter(({ call, words }) => {
      seen.advanceTo(call)
      return !words.every((word) => seen.has(word))
    })
    if (invented.length === 0)
      return scored(1, `All ${given.length} arguments occur in earlier texts.`)
    const issues = invented.map(
      ({ call, path, value }) =>
        `${call.name}: "${path}" is "${value}", which no earlier text contains.`,
    )
    const reasoning = `${given.length - invented.length} of ${given.length} arguments occur in earlier texts. ${issues[0]}`
    const evidence = invented.values().map(({ call, value }) => quoteIn(call.span, value))
    return scored(1 - invented.length / given.length, reasoning, { issues, evidence })
  },
}

function hasRequest({ input, system, messages }: TraceView): boolean {
  const asked = messages.filter(({ role }) => role === 'user').map(({ text }) => text)
  return [input?.text ?? '', system?.text ?? '', ...asked].some((text) => wordsIn(text).length > 0)
}

/** A text that the agent had at some time. */
interface Source {
  readonly atMs: number
  readonly value: unknown
  /** Its own call cannot be evidence for itself. */
  readonly of?: ToolCall
}

function listSources(trace: TraceView): readonly Source[] {
  const { toolCalls, toolDefinitions, modelCalls, retrievals, memoryOperations, input, system } =
    trace
  const start = Number.NEGATIVE_INFINITY
  const firstSentMs = new Map<string, number>()
  for (const { span, messages } of modelCalls) {
    for (const { role, text } of messages) {
      if (role !== 'assistant' && role !== 'tool' && !firstSentMs.has(text))
        firstSentMs.set(text, span.startedMs)
    }
  }
  const sources: Source[] = [
    ...[input?.text, system?.text].map((value) => ({ atMs: start, value })),
    ...[...firstSentMs].map(([value, atMs]) => ({ atMs, value })),
    ...toolDefinitions.map(({ description, parameters }) => ({
      atMs: start,
      value: [description, parameters],
    })),
    ...toolCalls.map((call) => ({ atMs: call.span.endedMs, value: call.output, of: call })),
    ...retrievals.map(({ span, items }) => ({
      atMs: span.endedMs,
      value: items.map(({ id, text }) => [id, text]),
    })),
    ...memoryOperations.map(({ span, value }) => ({ atMs: span.endedMs, value })),
  ]
  return sources
    .filter(({ value }) => value !== undefined && value !== null && value !== '')
    .sort((a, b) => a.atMs - b.atMs)
}

/** The words of all sources up to a time. */
class Evidence {
  readonly #sources: readonly Source[]
  readonly #words = new Set<string>()
  #next = 0
  #left = evidenceTextMax

  constructor(sources: readonly Source[]) {
    this.#sources = sources
  }

  /** Calls come in order of their start. A call without a span of its own starts with the model call. */
  advanceTo(call: ToolCall): void {
    for (; this.#next < this.#sources.length; this.#next++) {
      const { atMs, value, of } = this.#sources[this.#next]!
      if (atMs > call.span.startedMs || of === call) return
      this.#add(value)
    }
  }

  /** Past the limit everything counts as seen, because what is missing is unknown. */
  has(word: string): boolean {
    return this.#words.has(word) || this.#left <= 0
  }

  #add(value: unknown): void {
    for (const { value: leaf } of leavesIn(value)) {
      if (this.#left <= 0) return
      const text = String(leaf)
      this.#left -= text.length
      for (const word of words(text)) this.#words.add(word)
    }
  }
}

/** Numbers without separators of thousands, and decimals without zeros at the end. */
function words(text: string): string[] {
  return wordsIn(text)
    .map((word) => (/^\p{N}/u.test(word) ? word.replace(/,(?=\p{N}{3}(?!\p{N}))/gu, '') : word))
    .map(withoutTrailingZeros)
}

/** Of decimals. Without a regular expression, which takes quadratic time for zeros in the middle. */
function withoutTrailingZeros(word: string): string {
  if (!/^\p{N}/u.test(word) || !word.includes('.')) return word
  let end = word.length
  while (word[end - 1] === '0') end -= 1
  return word.slice(0, word[end - 1] === '.' ? end - 1 : end)
}

interface Argument {
  readonly call: ToolCall
  readonly path: string
  readonly value: string
  readonly words: readonly string[]
}

function listArguments({ toolCalls, toolDefinitions }: TraceView): Argument[] {
  const definitions = new Map(toolDefinitions.map((one) => [one.name, one]))
  const found: Argument[] = []
  for (const call of toolCalls) {
    const allowed = allowedValues(definitions.get(call.name))
    for (const { path, value } of leavesIn(call.input)) {
      if (found.length === checkedMax) return found
      const text = String(value).trim()
      const isChecked =
        typeof value === 'number'
          ? text.replace(/\D/g, '').length >= 3
          : typeof value === 'string' && text.length >= 3 && text.length <= copiedMax
      if (!isChecked || allowed.has(canonicalJson(value))) continue
      const own = words(text)
      if (own.length > 0) found.push({ call, path, value: text, words: own })
    }
  }
  return found
}

/** Values that the schema lists: of `enum`, `const` and `default`. */
function allowedValues(definition: ToolDefinition | undefined): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (schema: unknown, depth: number): void => {
    if (typeof schema !== 'object' || schema === null || depth > 20) return
    if (isFields(schema)) {
      const listed = Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]) : []
      for (const value of [...listed, schema['const'], schema['default']]) {
        if (value !== undefined) found.add(canonicalJson(value))
      }
    }
    for (const inner of Object.values(schema)) visit(inner, depth + 1)
  }
  visit(definition?.parameters, 0)
  return found
}
