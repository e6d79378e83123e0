import { TextTrie } from '../platform/text-trie.ts'
import { detect } from './detect.ts'
import type { Finding } from './finding.ts'

/*
 * Replaces the values of findings in a text.
 */

interface Replacement {
  readonly start: number
  readonly end: number
  readonly by: string
}

export interface FoundText {
  readonly text: string
  readonly findings: readonly Finding[]
}

/** Masking a value can uncover another one, which was read as a part of it. */
const mostRounds = 4

/** The texts without credentials and government identifiers: what is found in one is masked in all. */
export function maskBlocking(texts: readonly string[]): readonly string[] {
  let masked = texts
  for (let round = 0; round < mostRounds; round += 1) {
    const found = masked.map((text) => ({
      text,
      findings: detect(text).filter(({ blocks }) => blocks),
    }))
    if (found.every(({ findings }) => findings.length === 0)) break
    masked = maskFoundIn(found)
  }
  return masked
}

/**
 * The texts with the preview of each finding in its place. Every other occurrence of a found value is masked, too, in
 * all of them.
 */
export function maskFoundIn(texts: readonly FoundText[]): string[] {
  const trie = new TextTrie()
  for (const { text, findings } of texts)
    for (const { start, end } of findings) trie.add(text.slice(start, end))
  trie.link()
  return texts.map((one) => maskOccurrences(one, trie))
}

function maskOccurrences({ text, findings }: FoundText, trie: TextTrie): string {
  const previews = new Map(findings.map(({ start, end, preview }) => [`${start}-${end}`, preview]))
  const replacements: Replacement[] = []
  trie.forEachOccurrence(text, (_, start, end) => {
    replacements.push({ start, end, by: previews.get(`${start}-${end}`) ?? '…' })
  })
  let masked = ''
  let copiedTo = 0
  for (const { start, end, by } of withoutOverlaps(replacements)) {
    masked += text.slice(copiedTo, start) + by
    copiedTo = end
  }
  return masked + text.slice(copiedTo)
}

function withoutOverlaps(replacements: readonly Replacement[]): Replacement[] {
  const kept: Replacement[] = []
  for (const replacement of replacements.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const previous = kept.at(-1)
    if (previous === undefined || previous.end <= replacement.start) kept.push(replacement)
    else if (replacement.end > previous.end) {
      kept[kept.length - 1] = { start: previous.start, end: replacement.end, by: '…' }
    }
  }
  return kept
}
