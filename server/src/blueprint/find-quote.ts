/*
 * Finds a quote in a text, whatever the white space, quotation marks and dashes of the two. In linear time: both may be
 * chosen to make a search slow.
 */

export interface QuotePlace {
  /** UTF-16 offsets. */
  readonly start: number
  readonly end: number
}

/** Searches in one text for several quotes. */
export function openQuotes(text: string): (quote: string) => QuotePlace | undefined {
  const { plain, offsets } = flatten(text)
  return (quote) => {
    const { plain: sought } = flatten(quote.trim())
    if (sought.length < quoteLengthMin) return undefined
    const at = findText(plain, sought)
    if (at === -1) return undefined
    return { start: offsets[at]!, end: offsets[at + sought.length - 1]! + 1 }
  }
}

/** A shorter one occurs by accident. */
const quoteLengthMin = 8

const sameMarks: Readonly<Record<string, string>> = {
  '“': '"',
  '”': '"',
  '„': '"',
  '‘': "'",
  '’': "'",
  '–': '-',
  '—': '-',
  '\u2011': '-',
}

/** As `indexOf`, whose time grows with the product of the lengths (Knuth, Morris and Pratt). */
export function findText(text: string, sought: string): number {
  // Of the beginning of that length: how much of it is repeated at its end.
  const repeated = [0]
  const advance = (matched: number, next: string | undefined) => {
    let length = matched
    while (length > 0 && sought[length] !== next) length = repeated[length - 1]!
    return sought[length] === next ? length + 1 : 0
  }
  for (let at = 1; at < sought.length; at += 1) {
    repeated.push(advance(repeated[at - 1]!, sought[at]))
  }
  let matched = 0
  for (let at = 0; at < text.length; at += 1) {
    matched = advance(matched, text[at])
    if (matched === sought.length) return at + 1 - matched
  }
  return -1
}

/** White space as one space; `offsets` has the position of each character in the text. */
function flatten(text: string): { readonly plain: string; readonly offsets: readonly number[] } {
  let plain = ''
  const offsets: number[] = []
  let isSpace = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!
    if (/\s/.test(character)) {
      isSpace = true
      continue
    }
    if (isSpace && plain !== '') {
      plain += ' '
      offsets.push(at - 1)
    }
    isSpace = false
    plain += sameMarks[character] ?? character
    offsets.push(at)
  }
  return { plain, offsets }
}
