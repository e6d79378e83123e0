/*
 * Errors of code that reads untrusted data, as far as a log may have them. The message can have text of the data, as that
 * of a JSON parser does.
 */

/** With the kind of the error and the lines where it failed, without its message and causes. */
export function withoutData(error: unknown): Error {
  const { name, message, stack = '' } = error instanceof Error ? error : new Error()
  const plain = new Error(`${name} (the message is not logged: it can have text of the data)`)
  const header = `${name}: ${message}`
  const trace = stack.startsWith(header) ? stack.slice(header.length) : stack
  plain.stack = [String(plain), ...listOwnLines(trace)].join('\n')
  return plain
}

/** The lines of a stack or an error output that name only a place in the code. */
export function listOwnLines(text: string): readonly string[] {
  return text.split('\n').filter((line) => ownLine.test(line))
}

const ownLine =
  /^FATAL ERROR: [\w -]+$|^(?: {4}at (?:[\w.$<># ]+ (?:\[as [\w.$]+\] )?\()?)?(?:file|node):\S+?\)?$/
