/*
 * The problems of the items of one request (spans, data points, log records), summarized in one short
 * message as OTLP requires. Items appear by id or position, never with their content.
 */

export interface Problems {
  /** An item that is not stored. `item` is its id or, if that is invalid, its position. */
  reject(reason: string, item: string): void
  /** A part of an item was changed before it was stored. */
  warn(reason: string, item: string): void
  /** A problem of the whole request; reported once. */
  warnRequest(sentence: string): void
  /** Text for `errorMessage`; empty when there was no problem. */
  report(): { readonly rejected: number; readonly errorMessage: string }
}

/** The names of a signal's items. */
export interface ItemLabels {
  readonly one: string
  readonly many: string
}

const spanLabels: ItemLabels = { one: 'span', many: 'Spans' }
export const pointLabels: ItemLabels = { one: 'data point', many: 'Data points' }
export const logRecordLabels: ItemLabels = { one: 'log record', many: 'Log records' }

const maxReasons = 5
const maxItemsPerReason = 3

interface ReasonCount {
  count: number
  readonly items: string[]
}

export function newProblems(labels = spanLabels): Problems {
  const rejections = new Map<string, ReasonCount>()
  const warnings = new Map<string, ReasonCount>()
  const requestWarnings = new Set<string>()
  let rejected = 0
  return {
    reject(reason, item) {
      rejected++
      add(rejections, reason, item)
    },
    warn: (reason, item) => add(warnings, reason, item),
    warnRequest: (sentence) => {
      requestWarnings.add(sentence)
    },
    report() {
      const sentences = [
        ...requestWarnings,
        ...(rejected === 0 ? [] : [`${labels.many} not stored: ${rejected}.`]),
        ...sentencesOf(rejections, labels),
        ...(warnings.size === 0 ? [] : ['Stored with a change:']),
        ...sentencesOf(warnings, labels),
      ]
      return { rejected, errorMessage: sentences.join(' ') }
    },
  }
}

function add(counts: Map<string, ReasonCount>, reason: string, item: string): void {
  const reasonCount = counts.get(reason)
  if (reasonCount === undefined) {
    counts.set(reason, { count: 1, items: [item] })
    return
  }
  reasonCount.count++
  if (reasonCount.items.length < maxItemsPerReason) reasonCount.items.push(item)
}

function sentencesOf(counts: ReadonlyMap<string, ReasonCount>, { one }: ItemLabels): string[] {
  const report = [...counts].slice(0, maxReasons).map(([reason, { count, items }]) => {
    const more = count > items.length ? ` and ${count - items.length} more` : ''
    return `${reason} (${one} ${items.join(', ')}${more}).`
  })
  return counts.size > maxReasons ? [...report, 'There were other reasons too.'] : report
}
