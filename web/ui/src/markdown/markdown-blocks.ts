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
  let hasItem = false
  let fence: string | undefined
  let isAfterBlank = false
  for (const line of lines) {
    if (fence === undefined && isAfterBlank && beginsBlock(line, hasItem)) {
      blocks.push(block)
      block = ''
      hasItem = false
    }
    block += line
    hasItem ||= itemPattern.test(line)
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
function beginsBlock(line: string, hasItem: boolean): boolean {
  if (line.trim() === '' || /^(?: {4}| {0,3}\t)/.test(line)) return false
  return !(line.startsWith(' ') || itemPattern.test(line)) || !hasItem
}

const itemPattern = /^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/m

/** The mark that closes the code block which is open after a line. */
export function fenceAfter(line: string, fence: string | undefined): string | undefined {
  const mark = fencePattern.exec(line.trimEnd())
  if (mark === null) return fence
  const [, run = '', rest = ''] = mark
  if (fence === undefined) return run.startsWith('`') && rest.includes('`') ? undefined : run
  const isClosing = run[0] === fence[0] && run.length >= fence.length && rest.trim() === ''
  return isClosing ? undefined : fence
}

/** There is one way to match each line, so that long ones take no longer than their length. */
const fencePattern =
  /^(?: {0,3}(?:(?:[-*+>]|\d{1,9}[.)])[ \t]+)+|[ \t]*)(`{3,}(?!`)|~{3,}(?!~))(.*)$/
