import { type MappedText, replaceMapped, unchanged } from './mapped-text.ts'

/*
 * Undoes disguises that a reader does not notice: full-width letters, invisible characters, odd dashes, letters of
 * other alphabets that look Latin. Every character of the result has its position in the original text.
 */

export function normalizeText(original: string): MappedText {
  // oxlint-disable-next-line no-control-regex -- the range is all of ASCII
  if (/^[\x00-\x7f]*$/.test(original)) return unchanged(original)
  // oxlint-disable-next-line no-control-regex -- the range is all of ASCII
  const mapped = replaceMapped(original, /[^\x00-\x7f]/gu, ([character]) => {
    return replacementOf(character)
  })
  return { ...mapped, text: replaceLookalikes(mapped.text) }
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
