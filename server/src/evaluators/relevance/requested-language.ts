import { languageCodes, plainLanguage } from '../detect-language.ts'

/*
 * Finds which language a text asks for, by the English and the own names of languages.
 */

const codeOfEnglishName = new Map<string, string>()
const codeOfOwnName = new Map<string, string>()
const english = new Intl.DisplayNames('en', { type: 'language' })
for (const code of languageCodes) {
  codeOfEnglishName.set((english.of(code) ?? code).toLowerCase(), code)
  const own = new Intl.DisplayNames(code, { type: 'language' }).of(code)?.toLowerCase()
  if (own !== undefined && own !== code) codeOfOwnName.set(own, code)
}
codeOfEnglishName.set('mandarin', 'zh').set('farsi', 'fa')
codeOfOwnName.set('русском', 'ru').set('по-русски', 'ru').set('українською', 'uk')

const englishNames = [...codeOfEnglishName.keys()].join('|')
const list = String.raw`((?:(?:${englishNames})(?:,? (?:or|and) |, )?){1,4})`
/** Names of languages are also adjectives: "trends in German industry" requests nothing. */
const after = String.raw`(?=\s{0,3}(?:$|[.,;:!?)\n]|language|please|only|and|or|so|for|with|if|when|because|about|as|to)(?!\p{L}))`
const englishRequest = new RegExp(
  [
    String.raw`\b(?:answer|respond|reply|write|speak|say|explain|summari[sz]e|output|communicate|talk|rewrite|response|answers|replies|responses)\b[^.!?\n]{0,60}?\bin\s{1,3}${list}${after}`,
    String.raw`\btranslat(?:e|ion)\b[^.!?\n]{0,300}?\b(?:into|to)\s{1,3}${list}${after}`,
  ].join('|'),
  'giu',
)
const ownNames = [...codeOfOwnName.keys()].map((name) => name.replace(/[()]/g, '\\$&')).join('|')
const ownRequest = new RegExp(
  String.raw`(?<!\p{L})(?:auf|en|in|em|på|na|po|по|op|în|по-|用|以|in het)\s{0,2}(${ownNames})(?!\p{L})|(${ownNames})で`,
  'giu',
)
const anyName = new RegExp(
  String.raw`(?<!\p{L})(?:${[...codeOfEnglishName.keys(), ...codeOfOwnName.keys()].map((name) => name.replace(/[()]/g, '\\$&')).join('|')})(?!\p{L})|\b(?:translat|übersetz|tradu|перевед|翻译)`,
  'iu',
)

const lengthMax = 20_000

/** In the form of `detectLanguage`; empty without a clear request. */
export function findRequestedLanguages(text: string): readonly string[] {
  const read = text.slice(0, lengthMax).replace(/"[^"\n]{0,500}"|“[^“”\n]{0,500}”/g, ' ')
  const codes = [
    ...[...read.matchAll(englishRequest)].flatMap(([, names, translation]) =>
      (names ?? translation ?? '')
        .toLowerCase()
        .split(/,? (?:or|and) |, ?| /)
        .map((name) => codeOfEnglishName.get(name)),
    ),
    ...[...read.matchAll(ownRequest)].map(([, first, second]) =>
      codeOfOwnName.get((first ?? second ?? '').toLowerCase()),
    ),
  ]
  return [...new Set(codes.filter((code) => code !== undefined).map(plainLanguage))]
}

export function mentionsLanguage(text: string): boolean {
  return anyName.test(text.slice(0, lengthMax))
}
