/*
 * The order of ids, for sorting and as a tie breaker: by UTF-8 bytes, like the stores.
 */

/** Negative, 0 or positive, for `Array.sort`. */
export function compareIds(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  for (let i = 0; i < shorter; i += 1) {
    const left = a.charCodeAt(i)
    const right = b.charCodeAt(i)
    if (left !== right) return byteRank(left) - byteRank(right)
  }
  return a.length - b.length
}

// UTF-16 sorts surrogates, whose UTF-8 sequences are the longest, below U+E000 to U+FFFF.
function byteRank(codeUnit: number): number {
  if (codeUnit < 0xd800) return codeUnit
  return codeUnit < 0xe000 ? codeUnit + 0x2000 : codeUnit - 0x800
}
