/*
 * Spellings of one model's name: what may stand round it without its becoming another model.
 */

/** Regions and makers, as Bedrock puts them before a name. */
const harmlessStart = /^(?:[a-z]{2,6}(?:-gov)?\.)?(?:[a-z0-9]+\.)?$/

// One addition at a time, each taken whole and none given back: names come from anybody.
const harmlessAddition =
  /[-@:._](?:20\d\d-?\d\d-?\d\d|\d\d-20\d\d|(?<=(?:preview|exp)-)\d\d-\d\d|\d{3,4}|v\d(?:\.\d)?|(?<=:)\d|\d{2,4}k|latest|preview|exp|beta|instruct|chat)(?=[-@:._]|$)/y

/**
 * Whether a name is a spelling of the model known by its part from `start` to `end`. A number right behind makes
 * the next version: 4-1 is not 4, and 2.15 is not 2.1.
 */
export function isVariantOf(name: string, start: number, end: number): boolean {
  if (start > 0 && !harmlessStart.test(name.slice(0, start))) return false
  const known = name.slice(start, end)
  // The names of tuned models end in whatever their owners wrote.
  if (/^ft:|\.ft-$/.test(known)) return true
  // Where the part ends within a word or a number, that one is looked at whole.
  const isWithin = end < name.length && !/[-@:._]/.test(name.charAt(end))
  harmlessAddition.lastIndex = isWithin ? start + known.search(/[-@:._][^-@:._]*$/) : end
  while (harmlessAddition.lastIndex < name.length) {
    if (!harmlessAddition.test(name)) return false
  }
  return true
}
