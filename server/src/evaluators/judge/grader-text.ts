import { normalizeText } from '../../detection/normalize-text.ts'
import type { JudgeTask } from './judge.ts'

/*
 * Finds text that addresses whoever judges it. Such text changes nothing by itself, but is worth more samples and a note.
 */

const addressed =
  /\b(?:dear |note to (?:the )?|attention,? |as an? )?(?:grader|evaluator|judge|auto-?rater)\b[^.\n]{0,80}\b(?:score|verdict|pass|rate|rating|mark|yes|perfect)\b|\b(?:verdict|score|"passed?")\b"?\s*[:=]\s*"?(?:yes|true|1(?:\.0)?|10|pass)\b|\bignore (?:all |any )?(?:previous|prior|above) (?:instructions|criteria|rules)\b/i

/** The text, or undefined. Also in look-alike letters and in characters that a reader does not see. */
export function findGraderText({ blocks }: Pick<JudgeTask, 'blocks'>): string | undefined {
  for (const { text } of blocks.flatMap(({ segments }) => segments)) {
    const visible = text.replace(tagCharacter, (tag) =>
      String.fromCharCode(tag.codePointAt(0)! - firstTag),
    )
    const found = addressed.exec(normalizeText(visible).text)?.[0]
    if (found !== undefined) return found.slice(0, 120)
  }
  return undefined
}

/** Tag characters are ASCII, moved. */
const tagCharacter = /[\u{e0020}-\u{e007e}]/gu
const firstTag = 0xe0000
