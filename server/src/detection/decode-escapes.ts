import { type MappedText, replaceMapped } from './mapped-text.ts'

/*
 * Undoes the escapes of JSON, programming languages, URLs and mail, also where they were applied several times, as in
 * JSON inside JSON.
 */

/**
 * `\n`, `\"`, `\u003d`, `\x3d`, `%3D`, and of mail `=3D` and the `=` that ends a full line. Each further level doubles the
 * backslashes, or adds `25` after the `%`.
 */
const escapePattern =
  /(?<!\\)\\{1,15}(?:([nrtbf"'`/])|u([\da-fA-F]{4})|x([\da-fA-F]{2}))|%(?:25){0,3}([2-7][\da-fA-F]|0[9aAdD])|=(?:(3D)|(?<=^[^\r\n]{71,74}[^=\r\n]=)\r?\n)/gm

const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** The text without escapes, or undefined if it has none. */
export function decodeEscapes(original: string): MappedText | undefined {
  if (!/[\\%]|=(?:3D|\r?\n)/.test(original)) return undefined
  const decoded = replaceMapped(original, escapePattern, ([, character, ...codes]) => {
    if (character !== undefined) return controls[character] ?? character
    const code = codes.find((one) => one !== undefined)
    return code === undefined ? '' : String.fromCharCode(Number.parseInt(code, 16))
  })
  return decoded.text === original ? undefined : decoded
}
