import { RE2JS } from 're2js'

/*
 * Regular expressions from traces. They run on RE2, whose time is linear in the text.
 */

export interface SafePattern {
  /** Searches the whole text; callers limit its length. */
  readonly matches: (text: string) => boolean
  /** Instructions of the compiled pattern. A search takes at most so many steps for each character. */
  readonly size: number
}

const sourceMax = 1000
const sizeMax = 500

/** Throws an error with the reason for a pattern that RE2 does not support, and for one that is too large. */
export function compilePattern(source: string): SafePattern {
  if (source.length > sourceMax) throw new Error(`it is longer than ${sourceMax} characters`)
  const compiled = RE2JS.compile(source)
  const size = compiled.programSize()
  if (size > sizeMax) throw new Error('it is too complex')
  return { matches: (text) => compiled.test(text), size }
}
