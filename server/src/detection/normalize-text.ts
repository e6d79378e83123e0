/*
 * Undoes disguises that a reader does not notice: full-width letters, invisible characters, odd dashes, letters of
 * other alphabets that look Latin. Every character of the result has its position in the original text.
 */

export interface NormalizedText {
  readonly text: string
  /** Convert a range of `text` into a range of the original text. */
  readonly toOriginalStart: (start: number) => number
  readonly toOriginalEnd: (end: number) => number
}

export function normalizeText(original: string): NormalizedText {
  // oxlint-disable-next-line no-control-regex -- the range is all of ASCII
  if (/^[\x00-\x7f]*$/.test(original)) {
    return { text: original, toOriginalStart: identity, toOriginalEnd: identity }
  }
  const starts: number[] = []
  const ends: number[] = []
  let text = ''
  for (let at = 0; at < original.length; ) {
    const code = original.codePointAt(at) ?? 0
    const end = at + (code > 0xffff ? 2 : 1)
    const replacement = code < 0x80 ? original.charAt(at) : replacementOf(code)
    for (let i = 0; i < replacement.length; i += 1) {
      starts.push(at)
      ends.push(end)
    }
    text += replacement
    at = end
  }
  return {
    text: replaceLookalikes(text),
    toOriginalStart: (start) => starts[start] ?? original.length,
    toOriginalEnd: (end) => (end === 0 ? 0 : (ends[end - 1] ?? original.length)),
  }
}

function identity(position: number): number {
  return position
}

const replacements = new Map<number, string>()

function replacementOf(code: number): string {
  let replacement = replacements.get(code)
  if (replacement === undefined) {
    replacement = computeReplacement(String.fromCodePoint(code))
    replacements.set(code, replacement)
  }
  return replacement
}

/** The letter whose lower case is two characters would shift all positions after it. */
const dottedCapitalI = '\u0130'

function computeReplacement(character: string): string {
  if (/[\p{Default_Ignorable_Code_Point}\u0300-\u036f]/u.test(character)) return ''
  if (/[\p{Dash}\u2212]/u.test(character)) return '-'
  if (character === dottedCapitalI) return 'I'
  if (/[\u2018\u2019\u201a\u201b]/.test(character)) return "'"
  if (/[\u201c-\u201f\u00ab\u00bb\u300c\u300d]/.test(character)) return '"'
  if (/[\u2028\u2029\u0085]/.test(character)) return '\n'
  if (/\p{Nd}/u.test(character)) return String(digitOf(character.codePointAt(0) ?? 0))
  return character.normalize('NFKC').replaceAll(dottedCapitalI, 'I')
}

/** The ten digits of a script have consecutive code points and, with one exception, blocks start at a zero. */
function digitOf(code: number): number {
  if (code >= 0x1d7ce && code <= 0x1d7ff) return (code - 0x1d7ce) % 10
  let zero = code
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return code - zero
}

const latinOf = new Map(
  Object.entries({
    // Cyrillic
    ...letters('АВЕЅІЈКМНОРСТУХҮԌԚԜ', 'ABESIJKMHOPCTYXYGQW'),
    ...letters('аеѕіјорсухһԁԛԝӏ', 'aesijopcyxhdqwl'),
    // Greek
    ...letters('ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϳ', 'ABEZHIKMNOPTYXCj'),
    ...letters('αινορυϲ', 'aivopuc'),
    // Latin letters from phonetics, and Armenian
    ...letters('ɑɡıսօոհ', 'agiuonh'),
  }),
)

function letters(lookalikes: string, latin: string): Record<string, string> {
  return Object.fromEntries(lookalikes.split('').map((letter, at) => [letter, latin.charAt(at)]))
}

/**
 * Only in words that also have Latin letters or digits, and in which every other letter has a Latin twin: a Russian
 * word stays Russian.
 */
function replaceLookalikes(text: string): string {
  if (!/[\u0131-\u0587]/.test(text)) return text
  return text.replace(/[\w\u0131-\u0587-]+/g, (word) => {
    if (!/[\u0131-\u0587]/.test(word) || !/[A-Za-z0-9]/.test(word)) return word
    let latin = ''
    for (const letter of word) {
      const twin = letter < '\u0131' ? letter : latinOf.get(letter)
      if (twin === undefined) return word
      latin += twin
    }
    return latin
  })
}
