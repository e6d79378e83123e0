import type { JudgeTask } from './judge.ts'

/*
 * Finds text that addresses whoever judges it. Such text changes nothing by itself, but is worth more samples and a note.
 */

const addressed =
  /\b(?:dear |note to (?:the )?|attention,? |as an? )?(?:grader|evaluator|judge|auto-?rater)\b[^.\n]{0,80}\b(?:score|verdict|pass|rate|rating|mark|yes|perfect)\b|\b(?:verdict|score|"passed?")\b"?\s*[:=]\s*"?(?:yes|true|1(?:\.0)?|10|pass)\b|\bignore (?:all |any )?(?:previous|prior|above) (?:instructions|criteria|rules)\b/i

/** Per segment: further text is long in any case, and an address stands at its beginning or its end. */
const searchedMax = 20_000

/** The text, and in which span, or undefined. */
export function findGraderText({
  blocks,
}: Pick<JudgeTask, 'blocks'>): { readonly spanId: string; readonly text: string } | undefined {
  for (const { spanId, text } of blocks.flatMap(({ segments }) => segments)) {
    const ends = [text.slice(0, searchedMax), text.slice(searchedMax).slice(-searchedMax)]
    const found = ends.map((end) => addressed.exec(end.normalize('NFKC'))?.[0]).find(Boolean)
    if (found !== undefined) return { spanId, text: found.slice(0, 120) }
  }
  return undefined
}
