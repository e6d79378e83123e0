import { canonicalJson, textOf } from '../../domain/trace-view/canonical-json.ts'
import type { MemoryOperation } from '../../domain/trace-view/trace-view.ts'
import { quoteIn } from '../agent/quote-call.ts'
import type { DeterministicEvaluator } from '../evaluator.ts'
import { notApplicable, scored } from '../verdicts.ts'

const operationsMax = 10_000

export const freshReads: DeterministicEvaluator = {
  key: 'memory.fresh-reads',
  name: 'No stale reads',
  description:
    'The share of memory reads that return the newest value. A read counts when an earlier write of the same key had ended before it started, and no write of that key runs at the same time. A read is fresh if its result is the value written last, or contains it. Reads the first 10,000 memory operations. Does not apply to a trace without reads of written keys.',
  threshold: 1,
  use: 'gate',
  reads: ['memory operations'],
  evaluate({ memoryOperations }) {
    const newest = new Map<string, MemoryOperation>()
    const writtenText = createWrittenText()
    const stale: { readonly read: MemoryOperation; readonly issue: string }[] = []
    let checked = 0
    for (const operation of memoryOperations.slice(0, operationsMax)) {
      const { key, span, value } = operation
      if (operation.operation === 'write') {
        newest.set(key, operation)
        continue
      }
      const write = newest.get(key)
      const isSettled = write !== undefined && write.span.endedMs <= span.startedMs
      // A write without a recorded value cannot be compared.
      if (!isSettled || write.value === null || key === '') continue
      checked += 1
      if (isFresh(value, writtenText(write))) continue
      const got = value === null ? 'nothing' : `"${textOf(value).slice(0, 100)}"`
      const issue = `The read of "${key}" returned ${got}, but "${writtenText(write).slice(0, 100)}" was written before.`
      stale.push({ read: operation, issue })
    }
    if (checked === 0)
      return notApplicable('The trace reads no key of memory that it wrote before.')
    const [first] = stale
    if (first === undefined) return scored(1, `All ${checked} reads of written keys are fresh.`)
    const issues = stale.map(({ issue }) => issue)
    const reasoning = `${stale.length} of ${checked} reads of written keys are stale. ${first.issue}`
    const evidence = stale.values().map(({ read }) => quoteIn(read.span, read.value))
    return scored(1 - stale.length / checked, reasoning, { issues, evidence })
  },
}

/** Stores wrap values: in a list of matches, or in a text with others. */
function isFresh(read: MemoryOperation['value'], written: string): boolean {
  const text = serialize(read)
  return text === written || (written !== '' && text.includes(written))
}

/** A value that many reads are compared with is serialized once. */
function createWrittenText(): (write: MemoryOperation) => string {
  const texts = new Map<MemoryOperation, string>()
  return (write) => {
    const text = texts.get(write) ?? serialize(write.value)
    texts.set(write, text)
    return text
  }
}

function serialize(value: MemoryOperation['value']): string {
  return typeof value === 'string' ? value.trim() : canonicalJson(value)
}
