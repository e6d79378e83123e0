/*
 * Splits Markdown into blocks that can be rendered each on its own, so that only the last one is rendered again while a
 * reply is written. Joined, the blocks are the text.
 */

export function splitMarkdown(text: string): readonly string[] {
  // A footnote is numbered by its place in the whole text.
  if (/^\[\^[^\]]+\]:/m.test(text)) return [text]
  const lines = text.split(/(?<=\n)/)
  const blocks: string[] = []
  let block = ''
  let fence: string | undefined
  let isAfterBlank = false
  for (const line of lines) {
    if (fence === undefined && isAfterBlank && beginsBlock(line, block)) {
      blocks.push(block)
      block = ''
    }
    block += line
    fence = fenceAfter(line, fence)
    isAfterBlank = line.trim() === ''
  }
  return block === '' ? blocks : [...blocks, block]
}

/** The lines that define where links with names lead. They apply to the whole text. */
export function linkDefinitions(text: string): string {
  if (!text.includes(']:')) return ''
  const isDefinition = /^ {0,3}\[[^\]^][^\]]*\]:[ \t]*\S+/
  let fence: string | undefined
  let definitions = ''
  for (const line of text.split('\n')) {
    if (fence === undefined && isDefinition.test(line)) definitions += `\n${line}`
    fence = fenceAfter(line, fence)
  }
  return definitions
}

/** Lists, and code that is indented, can continue what an empty line interrupts. */
function beginsBlock(line: string, block: string): boolean {
  if (line.trim() === '' || /^(?: {4}| {0,3}\t)/.test(line)) return false
  return !(line.startsWith(' ') || itemPattern.test(line)) || !itemPattern.test(block)
}

const itemPattern = /^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/m

/** The mark that closes the code block which is open after a line. */
export function fenceAfter(line: string, fence: string | undefined): string | undefined {
  const mark = /^ {0,3}(?:(?:[-*+>]|\d{1,9}[.)])[ \t]+)*[ \t]*(`{3,}|~{3,})(.*)$/.exec(
    line.trimEnd(),
  )
  if (mark === null) return fence
  const [, run = '', rest = ''] = mark
  if (fence === undefined) return run.startsWith('`') && rest.includes('`') ? undefined : run
  const isClosing = run[0] === fence[0] && run.length >= fence.length && rest.trim() === ''
  return isClosing ? undefined : fence
}
