import { detect } from './detect.ts'
import type { Finding } from './finding.ts'
import { looksRandom } from './value-checks.ts'

/*
 * Finds a token that begins at the end of one text and ends at the start of the next, such as two messages.
 */

/** Of the part of a token in one text. */
const longestPart = 1000

/** As much of a text as `findContinued` reads of the one before. */
export function endOf(before: string): string {
  return before.trimEnd().slice(-longestPart)
}

/** Whether the text starts like the rest of a token: only then are texts before it of interest. */
export function mayContinueToken(text: string): boolean {
  return looksRandom(/^\s*([\w./+=~$:%@-]{8,200})/.exec(text)?.[1] ?? '')
}

/** The part that is in `text`. A token that is whole in one of the texts is not reported. */
export function findContinued(before: string, text: string): Finding | undefined {
  return findAcross(before, text)?.inText
}

/** Both texts without the token that begins in one and ends in the other. */
export function maskContinued(before: string, text: string): readonly [string, string] {
  const found = findAcross(before, text)
  if (found === undefined) return [before, text]
  const { beginsAt, inText } = found
  return [
    `${before.slice(0, beginsAt)}…`,
    `${text.slice(0, inText.start)}…${text.slice(inText.end)}`,
  ]
}

interface AcrossTexts {
  /** In the text before. */
  readonly beginsAt: number
  readonly inText: Finding
}

function findAcross(before: string, text: string): AcrossTexts | undefined {
  if (!mayContinueToken(text)) return undefined
  const first = endOf(before)
  const skipped = text.length - text.trimStart().length
  const joined = `${first}\n${text.slice(skipped, skipped + longestPart)}`
  const shift = skipped - first.length - 1
  const found = detect(joined).find(
    ({ start, end, blocks }) => blocks && start < first.length && end > first.length + 1,
  )
  if (found === undefined) return undefined
  const beginsAt = before.trimEnd().length - first.length + found.start
  return { beginsAt, inText: { ...found, start: skipped, end: found.end + shift } }
}
