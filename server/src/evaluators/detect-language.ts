import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { eld } from 'eld/extrasmall'

/*
 * The language of a text, by eld with its smallest set of 60 languages. Loaded at the first use: it takes 0.2 s and 40 MB.
 */

type Eld = typeof eld

let loaded: Eld | undefined

function loadEld(): Eld {
  if (loaded === undefined) {
    // The package exports no name for `require`, which loads synchronously.
    const path = fileURLToPath(import.meta.resolve('eld/extrasmall'))
    loaded = (createRequire(import.meta.url)(path) as { eld: Eld }).eld
  }
  return loaded
}

const lettersMin = 20
const lengthMax = 10_000

/** Languages that short texts do not distinguish count as one. */
const confusable = new Map([
  ['da', 'no'],
  ['hr', 'sr'],
  ['sk', 'cs'],
])

/** The code that stands for the language in results. */
export function plainLanguage(code: string): string {
  return confusable.get(code) ?? code
}

/** ISO 639-1 codes of the languages that the detector distinguishes. */
export const languageCodes: readonly string[] =
  'am ar az be bg bn ca cs da de el en es et eu fa fi fr gu he hi hr hu hy is it ja ka kn ko ku lo lt lv ml mr ms nl no or pa pl pt ro ru sk sl sq sr sv ta te th tl tr uk ur vi yo zh'.split(
    ' ',
  )

/** ISO 639-1. Undefined for a text of fewer than 20 letters, or when the detector is not sure. */
export function detectLanguage(text: string): string | undefined {
  const prose = toProse(text)
  if (letterCount(prose) < lettersMin) return undefined
  const result = loadEld().detect(prose)
  if (result.language === '' || !result.isReliable()) return undefined
  return plainLanguage(result.language)
}

/** Without code, links, addresses and quotations, which are often in another language. */
function toProse(text: string): string {
  return text
    .slice(0, lengthMax)
    .replace(/```[\s\S]*?(?:```|$)|`[^`\n]*`/g, ' ')
    .replace(/https?:\/\/\S+|\S+@\S+/g, ' ')
    .replace(/"[^"\n]{0,500}"|“[^“”\n]{0,500}”|«[^«»\n]{0,500}»|„[^„“”\n]{0,500}[“”]/g, ' ')
    .trim()
}

/** A character of Chinese, Japanese or Korean carries as much as several letters. */
function letterCount(text: string): number {
  const dense = text.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu)?.length ?? 0
  return (text.match(/\p{L}/gu)?.length ?? 0) + 2 * dense
}

const englishNames = new Intl.DisplayNames('en', { type: 'language' })

/** In English: `German`. */
export function languageName(code: string): string {
  return englishNames.of(code) ?? code
}
