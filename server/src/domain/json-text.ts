/*
 * JSON stored as the text it arrived as. Free-form values (inputs, outputs, attributes) are never parsed
 * between the wire and the disk, so numbers beyond 2^53 and the order of keys are preserved.
 */

/** Valid JSON, as text. */
export type JsonText = string & { readonly JsonText: unique symbol }

export const jsonNull = 'null' as JsonText
export const emptyObject = '{}' as JsonText
export const emptyArray = '[]' as JsonText

/** Values without a JSON form (undefined, functions) become null. */
export function toJsonText(value: unknown): JsonText {
  return (JSON.stringify(value) ?? 'null') as JsonText
}

/** Text that can be stored: NUL and lone surrogates, which no store accepts, become U+FFFD. */
export function toStorableText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return whole.includes('\0') ? whole.replaceAll('\0', '\uFFFD') : whole
}

/** The same for JSON text: escapes of NUL and of lone surrogates become U+FFFD. */
export function toStorableJson(text: JsonText): JsonText {
  if (!text.includes('\\u') || !suspicious.test(text)) return text
  return text.replaceAll(escapes, (escape) =>
    unstorable.test(escape) ? '\uFFFD' : escape,
  ) as JsonText
}

const suspicious = /\\u(?:0000|d[89a-f])/i

// Matches whole escapes, so that an escaped backslash before "u0000" is unchanged, and so is an escaped
// surrogate pair, which some senders use for every character beyond U+FFFF.
const escapes = /\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|u[0-9a-fA-F]{4}|.)/g

const unstorable = /^\\u(?:0000|d[89a-f][0-9a-f]{2})$/i
