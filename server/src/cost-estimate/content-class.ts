/*
 * Classes of text that tokenizers of other providers split differently from o200k.
 */

export const contentClasses = ['prose', 'code', 'json', 'digits', 'cjk', 'opaque'] as const
export type ContentClass = (typeof contentClasses)[number]

/** Tokens of o200k by class. */
export type ClassCounts = Readonly<Record<ContentClass, number>>

export const noTokens: ClassCounts = { prose: 0, code: 0, json: 0, digits: 0, cjk: 0, opaque: 0 }

export function addCounts(...all: readonly ClassCounts[]): ClassCounts {
  const sum = { ...noTokens }
  for (const counts of all) for (const name of contentClasses) sum[name] += counts[name]
  return sum
}

/** The class of a line. */
export function classify(line: string): ContentClass {
  const shares = measure(line)
  if (shares.cjk > 0.3) return 'cjk'
  if (shares.digits > 0.35) return 'digits'
  if (shares.opaque > 0.5) return 'opaque'
  if (/^\s*[[{}\]"]/.test(line) && /":|^\s*[[{}\]],?\s*$/.test(line)) return 'json'
  return shares.symbols > 0.1 ? 'code' : 'prose'
}

/** A run of letters and digits of this length is no word. */
const opaqueLength = 80

/** Shares of the characters of a line. */
function measure(line: string) {
  let cjk = 0
  let digits = 0
  let symbols = 0
  let word = 0
  let opaque = 0
  for (let at = 0; at < line.length; at += 1) {
    const code = line.charCodeAt(at)
    const isDigit = code >= 0x30 && code <= 0x39
    const isLetter = (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
    if (isDigit) digits += 1
    else if (isCjk(code)) cjk += 1
    else if (codeSymbols.has(code)) symbols += 1
    word = isDigit || isLetter ? word + 1 : 0
    if (word === opaqueLength) opaque += word
    else if (word > opaqueLength) opaque += 1
  }
  const length = Math.max(line.length, 1)
  return {
    cjk: cjk / length,
    digits: digits / length,
    symbols: symbols / length,
    opaque: opaque / length,
  }
}

/** Kana, ideographs and Hangul. */
function isCjk(code: number): boolean {
  return (code >= 0x3040 && code <= 0x9fff) || (code >= 0xac00 && code <= 0xd7af)
}

const codeSymbols = new Set(Array.from('{}[]()<>=;:&|$#@/\\_+*', (one) => one.charCodeAt(0)))
