/*
 * Reads server-sent events. Only `data` is returned; comments, names and ids are ignored.
 */

/** Takes text as it arrives, in pieces of any size, and gives the data of each message that is complete. */
export function eventReader(): (piece: string) => readonly string[] {
  let rest = ''
  let data: string[] = []

  return (piece) => {
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    const messages: string[] = []
    for (const line of lines) {
      if (line === '' && data.length > 0) {
        messages.push(data.join('\n'))
        data = []
      } else if (line.startsWith('data:')) {
        data.push(line.slice(line[5] === ' ' ? 6 : 5))
      }
    }
    return messages
  }
}
