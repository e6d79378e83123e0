/*
 * The language of a text, by its script or its most frequent words. Null unless it is clear.
 */

interface Language {
  readonly name: string
  readonly words: ReadonlySet<string>
  /** How the reader is addressed. */
  readonly formal?: RegExp
  readonly informal?: RegExp
}

function language(name: string, words: string, address: Partial<Language> = {}): Language {
  return { name, words: new Set(words.split(' ')), ...address }
}

const languages: readonly Language[] = [
  language('English', 'the and is are to of for you your with this that have not was it in on be', {
    formal: /\b(?:dear (?:mr|ms|mrs|sir|madam|customer)|sir|madam|sincerely|kind regards)\b/i,
    informal: /\b(?:hey|yeah|yep|nope|gonna|wanna|awesome|cool)\b/i,
  }),
  language('German', 'der die das und ist nicht mit für sie ihre haben wird ein eine den zu auf', {
    // Not at the start of a sentence, where it may be another word.
    formal: /(?<=[a-zäöüß,] )(?:Sie|Ihnen|Ihre?[nmrs]?)\b/,
    informal: /\b(?:du|dir|dich|deine?[nmrs]?)\b/i,
  }),
  language('French', 'le la les et est des pour vous votre une dans pas avec sur que ce du nous', {
    formal: /\b(?:vous|votre|vos)\b/i,
    informal: /\b(?:tu|toi|tes)\b/i,
  }),
  language('Spanish', 'el la los las y es para su con una por que del está en se no puede', {
    formal: /\busted(?:es)?\b/i,
    informal: /(?<!\p{L})(?:tú|tienes|puedes|quieres)(?!\p{L})/iu,
  }),
  language('Portuguese', 'o os as e é para com uma não que do da em você seu sua está por'),
  language('Italian', 'il la gli e è per con una non che di del della sono suo puoi questo nel'),
  language('Dutch', 'de het een en is niet met voor uw je van op dat zijn aan heeft wordt', {
    formal: /\b(?:u|uw)\b/,
    informal: /\b(?:je|jij|jouw)\b/i,
  }),
]

const scripts: readonly (readonly [string, RegExp])[] = [
  ['Japanese', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['Korean', /\p{Script=Hangul}/gu],
  ['Chinese', /\p{Script=Han}/gu],
  ['Greek', /\p{Script=Greek}/gu],
  ['Thai', /\p{Script=Thai}/gu],
]

/** `words` of the text, in lower case. */
export function findLanguage(text: string, words: readonly string[]): string | null {
  // Japanese has characters of Chinese, but not the other way around.
  for (const [name, pattern] of scripts) {
    if ((text.match(pattern)?.length ?? 0) > text.length / 10) return name
  }
  const [best, second] = languages
    .map((one) => ({ one, found: words.filter((word) => one.words.has(word)).length }))
    .toSorted((a, b) => b.found - a.found)
  if (best === undefined || second === undefined) return null
  const isClear = best.found >= 2 && best.found / words.length > 0.1
  return isClear && best.found >= second.found * 1.5 ? best.one.name : null
}

export function formOf(name: string | null): Pick<Language, 'formal' | 'informal'> {
  return languages.find((one) => one.name === name) ?? {}
}
