/*
 * What was wrong with the spans of one request, told to the sender in a few lines whatever the request holds:
 * OTLP has one message for all of them. It names spans by id or place and never repeats what they contain.
 */

export interface Problems {
  /** A span that is not stored. `span` is its id or, where that is the problem, its place. */
  reject(reason: string, span: string): void
  /** Something of a span that is stored could not be kept as it was sent. */
  warn(reason: string, span: string): void
  /** Something about the request as a whole; told once. */
  remark(sentence: string): void
  /** Text for `errorMessage`; empty when there was no problem. */
  told(): { readonly rejectedSpans: number; readonly errorMessage: string }
}

const maxReasons = 5
const maxSpansPerReason = 3

interface Tally {
  count: number
  readonly spans: string[]
}

export function newProblems(): Problems {
  const rejections = new Map<string, Tally>()
  const warnings = new Map<string, Tally>()
  const remarks = new Set<string>()
  let rejectedSpans = 0
  return {
    reject(reason, span) {
      rejectedSpans++
      add(rejections, reason, span)
    },
    warn: (reason, span) => add(warnings, reason, span),
    remark: (sentence) => {
      remarks.add(sentence)
    },
    told() {
      const sentences = [
        ...remarks,
        ...(rejectedSpans === 0 ? [] : [`Spans not stored: ${rejectedSpans}.`]),
        ...sentencesOf(rejections),
        ...(warnings.size === 0 ? [] : ['Stored with a change:']),
        ...sentencesOf(warnings),
      ]
      return { rejectedSpans, errorMessage: sentences.join(' ') }
    },
  }
}

function add(tallies: Map<string, Tally>, reason: string, span: string): void {
  const tally = tallies.get(reason)
  if (tally === undefined) {
    tallies.set(reason, { count: 1, spans: [span] })
    return
  }
  tally.count++
  if (tally.spans.length < maxSpansPerReason) tally.spans.push(span)
}

function sentencesOf(tallies: ReadonlyMap<string, Tally>): string[] {
  const told = [...tallies].slice(0, maxReasons).map(([reason, { count, spans }]) => {
    const more = count > spans.length ? ` and ${count - spans.length} more` : ''
    return `${reason} (span ${spans.join(', ')}${more}).`
  })
  return tallies.size > maxReasons ? [...told, 'There were other reasons too.'] : told
}
