import type { DeterministicEvaluator } from '../evaluator.ts'
import { hasMaterial, readSources, type SourceText } from '../source-texts.ts'
import { notApplicable, quotePart, scored } from '../verdicts.ts'
import { findReferences, isPlaceholder, type Reference } from './references.ts'

const checkedMax = 500

export const linksReal: DeterministicEvaluator = {
  key: 'hallucination.links-real',
  name: 'Links and ids come from evidence',
  description:
    'The share of links, e-mail addresses, DOIs, file paths and codes such as order numbers in the answer that occur in a message, a tool result, a retrieved item or memory. A link or address of a domain that occurs there counts half. Placeholders such as example.com do not count. Checks the first 500. Does not apply to an answer without any, or to a trace without results and without longer text of the user.',
  threshold: 1,
  use: 'gate',
  reads: ['output', 'messages', 'tool calls', 'retrieved items', 'memory operations'],
  evaluate(trace) {
    const { output } = trace
    if (output === undefined) return notApplicable('The trace has no answer.')
    const stated = findReferences(withoutCode(output.text)).filter((one) => !isPlaceholder(one))
    if (stated.length === 0) return notApplicable('The answer has no links, addresses or ids.')
    const sources = readSources(trace)
    if (!hasMaterial(sources)) {
      return notApplicable('The trace has no results that the links and ids could come from.')
    }
    const known = new KnownReferences(sources)
    const checked = stated.slice(0, checkedMax).map((one) => ({ one, points: known.pointsOf(one) }))
    const worst = checked.filter(({ points }) => points < 1).sort((a, b) => a.points - b.points)
    const issues = worst.map(({ one, points }) => {
      const shown = output.text.slice(one.start, one.end)
      return points === 0
        ? `The ${one.kind} ${shown} occurs nowhere in the trace.`
        : `The ${one.kind} ${shown} occurs nowhere in the trace, only its domain does.`
    })
    const sum = checked.reduce((total, { points }) => total + points, 0)
    const reasoning =
      worst.length === 0
        ? `All ${checked.length} links and ids of the answer come from the trace.`
        : `${checked.length - worst.length} of ${checked.length} links and ids of the answer come from the trace. ${issues[0]}`
    const evidence = worst.map(({ one }) => quotePart(output, one.start, one.end))
    return scored(sum / checked.length, reasoning, { issues, evidence })
  },
}

/** Paths in code are often those of the example itself. */
function withoutCode(text: string): string {
  return text.slice(0, 100_000).replace(/```[\s\S]*?(?:```|$)/g, (code) => ' '.repeat(code.length))
}

class KnownReferences {
  readonly #values = new Set<string>()
  readonly #domains = new Set<string>()
  readonly #words = new Set<string>()

  constructor(sources: readonly SourceText[]) {
    for (const { text } of sources) {
      for (const { value, domain } of findReferences(text)) {
        this.#values.add(value)
        if (domain !== undefined) this.#domains.add(domain)
      }
      // Sources write ids without the marks that make them recognizable: 1234 instead of #1234.
      for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}_-]{1,100}/gu))
        this.#words.add(word)
    }
  }

  pointsOf({ kind, value, domain }: Reference): number {
    if (this.#values.has(value)) return 1
    if (kind === 'code' && this.#words.has(value.replace(/^#/, ''))) return 1
    // The start page of a site that is linked.
    if (domain !== undefined && this.#domains.has(domain)) return value === domain ? 1 : 0.5
    return kind === 'path' && this.#hasParts(value) ? 1 : 0
  }

  /** Results of `ls` contain the parts of a path one by one. */
  #hasParts(path: string): boolean {
    const parts = path
      .toLowerCase()
      .split(/[/\\.~:]+/)
      .filter(Boolean)
    return parts.every((part) =>
      part.split(/[^\p{L}\p{N}_-]+/u).every((word) => word === '' || this.#words.has(word)),
    )
  }
}
