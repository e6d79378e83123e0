import type { Signal } from './signal.ts'

/*
 * Characters that a person does not see and a model reads: tag characters, variation selectors, bidirectional
 * overrides, zero-width characters between letters.
 */

/** `findPhrases` reads what tag characters spell. */
export function findHiddenCharacters(
  text: string,
  findPhrases: (text: string) => readonly Signal[],
): readonly Signal[] {
  if (!/[\p{Default_Ignorable_Code_Point}\u{e0000}-\u{e007f}]/u.test(text)) return []
  return [
    ...findTags(text, findPhrases),
    ...matches(
      text,
      'contains many invisible variation selectors',
      0.9,
      /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{8,1000}/gu,
    ),
    ...matches(text, 'reverses the direction of text', 0.6, /[\u202d\u202e]/g),
    ...matches(
      text,
      'has invisible characters within words',
      0.6,
      /[A-Za-z](?:[\u200b\u2060\ufeff]{1,20}[A-Za-z]){3,100}|[\u200b-\u200d\u2060-\u2064\ufeff]{8,1000}/g,
    ),
  ]
}

/** Flags of England, Scotland and Wales are a black flag followed by tag characters. */
const tagRun = /(\u{1f3f4})?([\u{e0000}-\u{e007f}]{1,4000})/gu

function findTags(text: string, findPhrases: (text: string) => readonly Signal[]): Signal[] {
  return [...text.matchAll(tagRun)]
    .filter(([, flag]) => flag === undefined)
    .slice(0, 20)
    .map(({ 0: whole, 2: run = '', index }) => {
      const spelled = Array.from(run, (tag) => fromTag(tag.codePointAt(0)!)).join('')
      const [phrase] = findPhrases(spelled)
      const what =
        phrase === undefined
          ? 'contains invisible tag characters'
          : `${phrase.what}, in invisible tag characters`
      return { what, weight: 1, start: index, end: index + whole.length }
    })
}

/** Tag characters are ASCII, moved. */
function fromTag(code: number): string {
  return String.fromCharCode(code - 0xe0000)
}

function matches(text: string, what: string, weight: number, pattern: RegExp): Signal[] {
  const [first] = text.matchAll(pattern)
  if (first === undefined) return []
  return [{ what, weight, start: first.index, end: first.index + first[0].length }]
}
