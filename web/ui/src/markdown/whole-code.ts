/*
 * Blocks that are nothing but a fence with code. They need no parser, which would take milliseconds for each frame while
 * long code is written.
 */

export interface WholeCode {
  readonly language: string | undefined
  readonly code: string
}

const openingPattern = /^(?:[ \t]*\n)*(`{3,}|~{3,})[ \t]*([\w+#.-]*)[ \t]*\n/

/** As Markdown reads the block, whether the fence is closed or not. Undefined for other blocks, and where it is in doubt. */
export function wholeCode(block: string): WholeCode | undefined {
  const [opening, fence = '', language] = openingPattern.exec(block) ?? []
  if (opening === undefined || /[\r\0]/.test(block)) return undefined
  const rest = block.slice(opening.length)
  const closing = new RegExp(`^ {0,3}${fence.charAt(0)}{${fence.length},}[ \\t]*$`, 'm').exec(rest)
  if (closing !== null && rest.slice(closing.index + closing[0].length).trim() !== '') {
    return undefined
  }
  const lines = closing === null ? rest : rest.slice(0, closing.index)
  const code = lines === '' || lines.endsWith('\n') ? lines : `${lines}\n`
  return { language: language === '' ? undefined : language, code: code === '\n' ? '' : code }
}
