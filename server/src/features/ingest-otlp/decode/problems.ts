import type { RejectionReason, Rejections } from '../../../domain/rejection.ts'

/*
 * The problems of the items of one request (spans, data points, log records), summarized in one short
 * message as OTLP requires. Items appear by id or position, never with their content.
 */

export interface Problems {
  /** An item that is not stored. `item` is its id or, if that is invalid, its position. */
  reject(problem: RejectedItem, item: string): void
  /** A part of an item was changed before it was stored. */
  warn(sentence: string, item: string): void
  /** A problem of the whole request; reported once. */
  warnRequest(sentence: string): void
  report(): ProblemReport
}

export interface RejectedItem {
  readonly reason: RejectionReason
  /** Without the full stop. */
  readonly sentence: string
}

export interface ProblemReport {
  readonly rejected: number
  readonly rejections: Rejections
  /** Text for `errorMessage`; empty when there was no problem. */
  readonly errorMessage: string
}

/** The names of a signal's items. */
export interface ItemLabels {
  readonly one: string
  readonly many: string
}

const spanLabels: ItemLabels = { one: 'span', many: 'Spans' }
export const pointLabels: ItemLabels = { one: 'data point', many: 'Data points' }
export const logRecordLabels: ItemLabels = { one: 'log record', many: 'Log records' }

const maxSentences = 5
const maxItemsPerSentence = 3

interface SentenceCount {
  count: number
  readonly items: string[]
}

export function newProblems(labels = spanLabels): Problems {
  const rejectedItems = new Map<string, SentenceCount>()
  const warnings = new Map<string, SentenceCount>()
  const rejections: Partial<Record<RejectionReason, number>> = {}
  const requestWarnings = new Set<string>()
  let rejected = 0
  return {
    reject({ reason, sentence }, item) {
      rejected++
      rejections[reason] = (rejections[reason] ?? 0) + 1
      add(rejectedItems, sentence, item)
    },
    warn: (sentence, item) => add(warnings, sentence, item),
    warnRequest: (sentence) => {
      requestWarnings.add(sentence)
    },
    report() {
      const sentences = [
        ...requestWarnings,
        ...(rejected === 0 ? [] : [`${labels.many} not stored: ${rejected}.`]),
        ...formatProblems(rejectedItems, labels),
        ...(warnings.size === 0 ? [] : ['Stored with a change:']),
        ...formatProblems(warnings, labels),
      ]
      return { rejected, rejections, errorMessage: sentences.join(' ') }
    },
  }
}

/** Of an item that cannot be decoded. */
export function malformed(sentence: string): RejectedItem {
  return { reason: 'malformed', sentence }
}

function add(counts: Map<string, SentenceCount>, sentence: string, item: string): void {
  const found = counts.get(sentence)
  if (found === undefined) {
    counts.set(sentence, { count: 1, items: [item] })
    return
  }
  found.count++
  if (found.items.length < maxItemsPerSentence) found.items.push(item)
}

function formatProblems(counts: ReadonlyMap<string, SentenceCount>, { one }: ItemLabels): string[] {
  const report = [...counts].slice(0, maxSentences).map(([sentence, { count, items }]) => {
    const more = count > items.length ? ` and ${count - items.length} more` : ''
    return `${sentence} (${one} ${items.join(', ')}${more}).`
  })
  return counts.size > maxSentences ? [...report, 'There were other reasons too.'] : report
}
