/*
 * Finds a quote in a text, whatever the white space, quotation marks and dashes of the two.
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
    const at = plain.indexOf(sought)
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
