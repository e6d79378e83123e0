/*
 * Case-insensitive comparison by the rules of Unicode, not only for ASCII.
 */

/**
 * Equal for texts that differ in case only. Upper case, because only there `ß` equals `ss` and the two
 * small sigmas are one.
 */
export function foldCase(text: string): string {
  return text.toUpperCase()
}

/** Whether the text has letters beyond ASCII. */
export function hasNonAscii(text: string): boolean {
  return Buffer.byteLength(text) !== text.length
}
