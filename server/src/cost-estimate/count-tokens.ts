import { countTokens as countSlice } from 'gpt-tokenizer/encoding/o200k_base'
import { type ClassCounts, type ContentClass, classify, noTokens } from './content-class.ts'

/*
 * Counts the tokens of a text with o200k. The vocabulary takes 73 MB: only the counting process imports this file.
 */

/** By the class of each line. */
export function countTokens(text: string): ClassCounts {
  const counts = { ...noTokens }
  for (const { contentClass, part } of splitByClass(text)) {
    counts[contentClass] += contentClass === 'opaque' ? estimateOpaque(part) : count(part)
  }
  return counts
}

/** Adjacent lines of a class stay together, with their line breaks. */
function splitByClass(text: string) {
  const parts: { contentClass: ContentClass; part: string }[] = []
  for (const line of text.split(/(?<=\n)/)) {
    const last = parts.at(-1)
    const contentClass = line.trim() === '' ? (last?.contentClass ?? 'prose') : classify(line)
    if (last?.contentClass === contentClass) last.part += line
    else parts.push({ contentClass, part: line })
  }
  return parts
}

function count(text: string): number {
  let tokens = 0
  for (const slice of sliceRuns(text)) tokens += countSlice(slice, noSpecialTokens)
  return tokens
}

/** Random letters take the longest to count, and every part of them has about as many tokens. */
function estimateOpaque(text: string): number {
  const slices = [...sliceRuns(text)]
  const every = Math.ceil(slices.length / opaqueSlicesMax)
  const sample = slices.filter((_, at) => at % every === 0)
  const tokens = sample.reduce((sum, slice) => sum + countSlice(slice, noSpecialTokens), 0)
  const sampledLength = sample.reduce((sum, { length }) => sum + length, 0)
  return sampledLength === 0 ? 0 : Math.round((tokens * text.length) / sampledLength)
}

const opaqueSlicesMax = 256

/** Without it, a text with a marker such as <|endoftext|> throws. */
const noSpecialTokens = { disallowedSpecial: new Set<string>() }

/**
 * Byte-pair encoding is quadratic in the length of what it does not split, such as letters, or symbols with line breaks:
 * 200 kB of one letter take half a minute. Runs are cut, far above the length of words.
 */
export function* sliceRuns(text: string): Generator<string> {
  let start = 0
  let run = 0
  let runClass: RunClass | undefined
  for (let at = 0; at < text.length; at += 1) {
    const itsClass = runClassOf(text.charCodeAt(at)) ?? runClass
    run = itsClass === runClass ? run + 1 : 1
    runClass = itsClass
    if (run < runMax || isWithinPair(text, at)) continue
    yield text.slice(start, at + 1)
    start = at + 1
    run = 0
  }
  if (start < text.length) yield text.slice(start)
}

const runMax = 128

/** Half of a pair alone does not count. */
function isWithinPair(text: string, at: number): boolean {
  const [code, next] = [text.charCodeAt(at), text.charCodeAt(at + 1)]
  return code >= 0xd800 && code <= 0xdbff && next >= 0xdc00 && next <= 0xdfff
}

type RunClass = 'letter' | 'digit' | 'other'

/** Undefined beyond ASCII, where characters of any class may continue a run. */
function runClassOf(code: number): RunClass | undefined {
  if (code >= 0x80) return undefined
  if (code >= 0x30 && code <= 0x39) return 'digit'
  const isLetter = (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
  return isLetter ? 'letter' : 'other'
}
