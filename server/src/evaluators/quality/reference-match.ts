import { distance } from 'fastest-levenshtein'
import { textOf } from '../../domain/trace-view/canonical-json.ts'
import type { DeterministicEvaluator } from '../evaluator.ts'
import { formatShare } from '../quantities.ts'
import { commonSubsequence, f1, normalizeText, wordsIn } from '../texts.ts'
import { notApplicable, quoteText, scored } from '../verdicts.ts'
import { parseJson } from './parse-json.ts'

/** Comparing takes quadratic time. */
const comparedWords = 1000
const comparedCharacters = 5000

export const referenceMatch: DeterministicEvaluator = {
  key: 'quality.reference-match',
  name: 'Matches reference',
  description:
    'How similar the answer is to `eval.expected_output`. A text scores the best of: equal apart from case and spacing, F1 of its words, ROUGE-L F1, and edit distance relative to the length; words count in the first 1,000, edits in the first 5,000 characters. An object or list is compared member by member with the JSON of the answer. Does not apply without a reference.',
  threshold: 0.8,
  use: 'gate',
  reads: ['output', 'eval.expected_output'],
  evaluate({ output, expectations }) {
    const expected = expectations.get('expected_output')
    if (expected === undefined || expected === null || expected === '') {
      return notApplicable('The trace has no `eval.expected_output`.')
    }
    if (output === undefined) {
      const issue = 'The trace has no answer to compare with the reference.'
      return scored(0, issue, { issues: [issue] })
    }
    const isStructured = typeof expected === 'object'
    const json = isStructured ? parseJson(output.text.trim()) : undefined
    if (json?.is === 'invalid') {
      const issue = 'The reference is JSON, and the answer is not.'
      return scored(0, issue, { issues: [issue], evidence: [quoteText(output)] })
    }
    const score =
      json === undefined
        ? textSimilarity(textOf(expected), output.text)
        : jsonSimilarity(expected, json.value, newWork())
    const reasoning = `The answer matches ${formatShare(score)} of the reference "${textOf(expected).slice(0, 100)}".`
    if (score >= 0.8) return scored(score, reasoning)
    return scored(score, reasoning, { issues: [reasoning], evidence: [quoteText(output)] })
  },
}

export function textSimilarity(a: string, b: string): number {
  const [plainA, plainB] = [normalizeText(a), normalizeText(b)]
  if (plainA === plainB) return 1
  const [wordsA, wordsB] = [wordsIn(plainA), wordsIn(plainB)]
  const [firstA, firstB] = [wordsA.slice(0, comparedWords), wordsB.slice(0, comparedWords)]
  const hasWords = wordsA.length > 0 && wordsB.length > 0
  return Math.max(
    hasWords ? f1(commonWords(wordsA, wordsB), wordsA.length, wordsB.length) : 0,
    hasWords ? f1(commonSubsequence(firstA, firstB, isEqual), firstA.length, firstB.length) : 0,
    editSimilarity(plainA.slice(0, comparedCharacters), plainB.slice(0, comparedCharacters)),
  )
}

const isEqual = (a: string, b: string) => (a === b ? 1 : 0)

function commonWords(a: readonly string[], b: readonly string[]): number {
  const left = new Map<string, number>()
  for (const word of a) left.set(word, (left.get(word) ?? 0) + 1)
  let common = 0
  for (const word of b) {
    const count = left.get(word) ?? 0
    if (count === 0) continue
    common += 1
    left.set(word, count - 1)
  }
  return common
}

function editSimilarity(a: string, b: string): number {
  const length = Math.max(a.length, b.length)
  return length === 0 ? 1 : 1 - distance(a, b) / length
}

/** Comparisons left: aligning nested lists multiplies them. */
interface Work {
  remaining: number
}

function newWork(): Work {
  return { remaining: 5000 }
}

/** The mean over the members of both; items of lists are aligned in order. */
export function jsonSimilarity(a: unknown, b: unknown, work: Work): number {
  work.remaining -= 1
  if (work.remaining < 0) return 0
  if (Array.isArray(a) && Array.isArray(b)) return listSimilarity(a, b, work)
  if (isObject(a) && isObject(b)) return objectSimilarity(a, b, work)
  if (typeof a === 'string' && typeof b === 'string') {
    work.remaining -= Math.ceil((a.length * b.length) / 100_000 + (a.length + b.length) / 2000)
    return textSimilarity(a, b)
  }
  if (typeof a === 'object' || typeof b === 'object') return a === b ? 1 : 0
  return isSameValue(a, b) ? 1 : 0
}

/** 7, 7.0 and "7" are the same. */
function isSameValue(a: unknown, b: unknown): boolean {
  if (normalizeText(String(a)) === normalizeText(String(b))) return true
  const [x, y] = [Number(a), Number(b)]
  return typeof a !== 'boolean' && Math.abs(x - y) <= 1e-9 * Math.max(Math.abs(x), Math.abs(y))
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const alignedMax = 50

function listSimilarity(a: readonly unknown[], b: readonly unknown[], work: Work): number {
  const length = Math.max(a.length, b.length)
  if (length === 0) return 1
  if (length <= alignedMax) {
    return commonSubsequence(a, b, (x, y) => jsonSimilarity(x, y, work)) / length
  }
  const common = Math.min(a.length, b.length)
  let sum = 0
  for (let n = 0; n < common && work.remaining > 0; n++) sum += jsonSimilarity(a[n], b[n], work)
  return sum / length
}

function objectSimilarity(
  a: Readonly<Record<string, unknown>>,
  b: Readonly<Record<string, unknown>>,
  work: Work,
): number {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])]
  work.remaining -= Math.ceil(names.length / 100)
  const both = names.filter((name) => Object.hasOwn(a, name) && Object.hasOwn(b, name))
  let sum = 0
  for (const name of both) sum += jsonSimilarity(a[name], b[name], work)
  return names.length === 0 ? 1 : sum / names.length
}
