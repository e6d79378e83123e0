/*
 * Comparing text in any case, by Unicode's rules rather than ASCII's.
 */

/** The same for texts that differ in case alone. Upper case, because only of it `ß` and `ss`, and the two small sigmas, are one. */
export function foldCase(text: string): string {
  return text.toUpperCase()
}

/** Whether letters beyond ASCII are in it. */
export function hasNonAscii(text: string): boolean {
  return Buffer.byteLength(text) !== text.length
}
