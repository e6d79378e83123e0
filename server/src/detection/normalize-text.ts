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
  const pieces: Piece[] = []
  let text = ''
  const add = (start: number, end: number, replacement?: string) => {
    const by = replacement ?? original.slice(start, end)
    if (by === '') return
    pieces.push({ at: text.length, start, end, isSame: replacement === undefined })
    text += by
  }
  let copiedTo = 0
  // oxlint-disable-next-line no-control-regex -- the range is all of ASCII
  for (const { 0: character, index } of original.matchAll(/[^\x00-\x7f]/gu)) {
    const replacement = replacementOf(character)
    if (replacement === character) continue
    if (index > copiedTo) add(copiedTo, index)
    copiedTo = index + character.length
    add(index, copiedTo, replacement)
  }
  if (copiedTo < original.length) add(copiedTo, original.length)
  return {
    text: replaceLookalikes(text),
    toOriginalStart: (position) => {
      const piece = pieceAt(pieces, position)
      return piece.isSame ? piece.start + position - piece.at : piece.start
    },
    toOriginalEnd: (position) => {
      const piece = pieceAt(pieces, position - 1)
      return piece.isSame ? piece.start + position - piece.at : piece.end
    },
  }
}

/** A range of the original that starts at `at` in the result. */
interface Piece {
  readonly at: number
  readonly start: number
  readonly end: number
  /** Whether it is copied, so that every character has its own position. */
  readonly isSame: boolean
}

/** The last piece that does not start after the position. */
function pieceAt(pieces: readonly Piece[], position: number): Piece {
  let low = 0
  let high = pieces.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((pieces[middle]?.at ?? 0) <= position) low = middle
    else high = middle - 1
  }
  return pieces[low] ?? { at: 0, start: 0, end: 0, isSame: true }
}

function identity(position: number): number {
  return position
}

const replacements = new Map<string, string>()

function replacementOf(character: string): string {
  let replacement = replacements.get(character)
  if (replacement === undefined) {
    replacement = computeReplacement(character)
    replacements.set(character, replacement)
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
