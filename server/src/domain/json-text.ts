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
export function jsonTextOf(value: unknown): JsonText {
  return (JSON.stringify(value) ?? 'null') as JsonText
}

/** Text as it may be stored: NUL and lone surrogates, which no store takes, become U+FFFD. */
export function storable(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return whole.includes('\0') ? whole.replaceAll('\0', '\uFFFD') : whole
}
