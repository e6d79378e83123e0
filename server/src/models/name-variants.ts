/*
 * Spelling variants of one model name: prefixes and suffixes that do not make it another model.
 */

/** Region and vendor prefixes of Bedrock. */
const harmlessStart = /^(?:[a-z]{2,6}(?:-gov)?\.)?(?:[a-z0-9]+\.)?$/

// Matches without backtracking, because names are untrusted input.
const harmlessAddition =
  /[-@:._](?:20\d\d-?\d\d-?\d\d|\d\d-20\d\d|(?<=(?:preview|exp)-)\d\d-\d\d|\d{3,4}|v\d(?:\.\d)?|(?<=:)\d|\d{2,4}k|latest|preview|exp|beta|instruct|chat)(?=[-@:._]|$)/y

/**
 * Whether a name is a spelling of the model matched from `start` to `end`. A digit directly after the match
 * makes another version: 4-1 is not 4, and 2.15 is not 2.1.
 */
export function isVariant(name: string, start: number, end: number): boolean {
  if (start > 0 && !harmlessStart.test(name.slice(0, start))) return false
  const known = name.slice(start, end)
  // Names of fine-tuned models end in arbitrary text.
  if (/^ft:|\.ft-$/.test(known)) return true
  // If the match ends within a word or number, the whole word is checked.
  const isWithin = end < name.length && !/[-@:._]/.test(name.charAt(end))
  harmlessAddition.lastIndex = isWithin ? start + known.search(/[-@:._][^-@:._]*$/) : end
  while (harmlessAddition.lastIndex < name.length) {
    if (!harmlessAddition.test(name)) return false
  }
  return true
}
