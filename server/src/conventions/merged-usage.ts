import type { Usage } from '../domain/span.ts'
import { inclusiveUsage } from './inclusive-usage.ts'
import type { ReportedUsage } from './reported-usage.ts'

/*
 * The usage of a span on which several conventions report counts, each perhaps only some of them. Every count
 * comes from the first convention that has it; a part comes from the convention of its whole where that
 * has it, so that the two are consistent.
 */

/** Undefined when no count was reported. `reports` are in the order of precedence. */
export function mergedUsage(reports: readonly ReportedUsage[]): Usage | undefined {
  if (reports.length <= 1) return reports[0] && inclusiveUsage(reports[0])
  const first = (count: keyof ReportedUsage) => (each: ReportedUsage) => each[count] !== undefined
  const input = reports.find(first('input'))
  const output = reports.find(first('output'))
  return inclusiveUsage({
    input: input?.input,
    output: output?.output,
    total: input === output ? input?.total : undefined,
    cacheRead: input?.cacheRead ?? reports.find(first('cacheRead'))?.cacheRead,
    cacheWrite: input?.cacheWrite ?? reports.find(first('cacheWrite'))?.cacheWrite,
    reasoning: output?.reasoning ?? reports.find(first('reasoning'))?.reasoning,
    impliedInput: reports.find(first('impliedInput'))?.impliedInput,
    impliedOutput: reports.find(first('impliedOutput'))?.impliedOutput,
    cacheIsApart: input && excludesParts(input, reports, wholes.input),
    reasoningIsApart: output && excludesParts(output, reports, wholes.output),
  })
}

interface Whole {
  readonly count: 'input' | 'output'
  readonly parts: readonly ('cacheRead' | 'cacheWrite' | 'reasoning')[]
  readonly habit: 'cacheIsApart' | 'reasoningIsApart'
  readonly inclusive: 'tokensIn' | 'tokensOut'
}

const wholes = {
  input: {
    count: 'input',
    parts: ['cacheRead', 'cacheWrite'],
    habit: 'cacheIsApart',
    inclusive: 'tokensIn',
  },
  output: {
    count: 'output',
    parts: ['reasoning'],
    habit: 'reasoningIsApart',
    inclusive: 'tokensOut',
  },
} as const satisfies Readonly<Record<string, Whole>>

/**
 * Whether the whole that `owner` reports excludes its parts: the owner's habit, unless it reports no part and
 * another convention, which reports both, proves the contrary.
 */
function excludesParts(
  owner: ReportedUsage,
  reports: readonly ReportedUsage[],
  { count, parts, habit, inclusive }: Whole,
): boolean | undefined {
  const sumOfParts = (of: ReportedUsage) => parts.reduce((sum, part) => sum + (of[part] ?? 0), 0)
  const own = owner[count] ?? 0
  if (sumOfParts(owner) > 0) return owner[habit]
  for (const other of reports) {
    const sum = sumOfParts(other)
    if (other[count] === undefined || sum === 0) continue
    const proven = inclusiveUsage(other)?.[inclusive]
    if (proven === own) return false
    if (proven === own + sum) return true
  }
  return owner[habit]
}
