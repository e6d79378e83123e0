/*
 * Reads server-sent events. Only `data` is returned; comments, names and ids are ignored.
 */

/** Parses chunks of text of any size and returns the data of each complete message. */
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
