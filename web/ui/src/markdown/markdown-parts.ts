import { fenceAfter, linkDefinitions, splitMarkdown } from './markdown-blocks.ts'
import { wholeCode } from './whole-code.ts'

/*
 * Which parts of a text are rendered as Markdown. The parser takes time with the square of what opens and never closes,
 * and a stack frame for each level: a model could write a reply that freezes, or breaks, every page that shows it.
 */

export interface MarkdownPart {
  readonly text: string
  /** Whether it is shown as it was written, because it would take too long to render. */
  readonly isPlain: boolean
}

/** Of time on a busy machine, as estimated. */
export interface RenderBudget {
  readonly blockMs: number
  readonly totalMs: number
}

const replyBudget: RenderBudget = { blockMs: 400, totalMs: 2000 }
/** Of quotations and lists within each other. */
const nestingMax = 60
/** Of definitions of links, which each block gets. */
const repeatedLengthMax = 500_000

export function toMarkdownParts(
  text: string,
  { blockMs, totalMs } = replyBudget,
): readonly MarkdownPart[] {
  const definitions = linkDefinitions(text)
  const split = splitMarkdown(text)
  const blocks = definitions.length * split.length > repeatedLengthMax ? [text] : split
  const parts: MarkdownPart[] = []
  let remainingMs = totalMs
  let plain = ''
  for (const block of blocks) {
    const isAlone = definitions === '' || blocks.length === 1 || wholeCode(block) !== undefined
    const whole = isAlone ? block : `${block}\n${definitions}`
    const ms = remainingMs > 0 ? estimateMs(whole) : Number.POSITIVE_INFINITY
    if (ms > blockMs) {
      plain += block
      continue
    }
    if (plain !== '') parts.push({ text: plain, isPlain: true })
    plain = ''
    parts.push({ text: whole, isPlain: false })
    remainingMs -= ms
  }
  return plain === '' ? parts : [...parts, { text: plain, isPlain: true }]
}

/** The marks of quotations and of items of lists. */
const beginningPattern = /^[ \t]*(?:(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$))[ \t]*)*/

/** Infinite where the nesting is too deep. */
function estimateMs(block: string): number {
  const counts = { length: 0, lines: 0, cells: 0, columns: 0, marksSquared: 0, marks: 0 }
  let fence: string | undefined
  for (const line of block.split(/\r\n?|\n/)) {
    const before = fence
    fence = fenceAfter(line, fence)
    if (before !== undefined && fence !== undefined) continue
    const [beginning = ''] = beginningPattern.exec(line) ?? []
    if (nestingOf(beginning) > nestingMax) return Number.POSITIVE_INFINITY
    if (beginning.length === line.length || /[-*+.)]/.test(beginning)) endParagraph(counts)
    const { marks, pipes } = countMarks(line, beginning.length)
    counts.length += line.length
    counts.lines += 1
    counts.marks += marks
    counts.columns = Math.max(counts.columns, pipes)
    counts.cells += counts.columns
  }
  endParagraph(counts)
  const { length, lines, cells, marksSquared } = counts
  // Measured with texts of 20,000 characters.
  return 0.5 + length * 0.005 + lines ** 2 * 1e-4 + cells * 0.02 + marksSquared * 6e-5
}

/** Marks are matched within a paragraph. */
function endParagraph(counts: { marks: number; marksSquared: number }): void {
  counts.marksSquared += counts.marks ** 2
  counts.marks = 0
}

/** The levels that the beginning of a line opens, or continues by its indentation. */
function nestingOf(beginning: string): number {
  const markers = beginning.match(/>|[-*+]|\d[.)]/g)?.length ?? 0
  const indentation = beginning.length - beginning.trimStart().length
  return markers === 0 ? 0 : markers + indentation / 2
}

/** What opens emphasis, a link, code, HTML or an address; and the borders of cells. */
function countMarks(
  line: string,
  from: number,
): { readonly marks: number; readonly pipes: number } {
  let [marks, pipes] = [0, 0]
  for (let at = from; at < line.length; at += 1) {
    const character = line.charAt(at)
    if (character === '|') pipes += 1
    else if ('*_~[]`<@'.includes(character)) marks += 1
  }
  return { marks, pipes }
}
