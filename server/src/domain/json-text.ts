/*
 * JSON kept as the text it arrived in. Free-form values (inputs, outputs, attributes) are never parsed
 * on their way from the wire to the disk and back, so numbers beyond 2^53 and key order survive.
 */

/** Valid JSON, as text. */
export type JsonText = string & { readonly JsonText: unique symbol }

export const jsonNull = 'null' as JsonText
export const emptyObject = '{}' as JsonText
export const emptyArray = '[]' as JsonText

/** Values JSON has no form for (undefined, functions) become null. */
export function toJsonText(value: unknown): JsonText {
  return (JSON.stringify(value) ?? 'null') as JsonText
}

/** Text as it may be stored: NUL and lone surrogates, which no store takes, become U+FFFD. */
export function toStorableText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return whole.includes('\0') ? whole.replaceAll('\0', '\uFFFD') : whole
}

/** The same for text that is JSON already: escapes of NUL and of lone surrogates become U+FFFD. */
export function toStorableJson(text: JsonText): JsonText {
  if (!text.includes('\\u') || !suspicious.test(text)) return text
  return text.replaceAll(escapes, (escape) =>
    unstorable.test(escape) ? '\uFFFD' : escape,
  ) as JsonText
}

const suspicious = /\\u(?:0000|d[89a-f])/i

// Each escape is taken whole, so that an escaped backslash before a "u0000" is left alone, and so is an
// escaped pair of surrogates, which is how some senders write every character beyond U+FFFF.
const escapes = /\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|u[0-9a-fA-F]{4}|.)/g

const unstorable = /^\\u(?:0000|d[89a-f][0-9a-f]{2})$/i
