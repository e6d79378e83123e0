/*
 * Filters and ranks commands by the typed text.
 */

export interface Command {
  readonly id: string
  readonly label: string
  readonly hint?: string
  /** Synonyms for the search. */
  readonly keywords?: string
  readonly run: () => void
}

/** The commands that match every typed word, prefix matches first; all commands for empty text. */
export function matchingCommands(commands: readonly Command[], text: string): readonly Command[] {
  const typed = wordsIn(text)
  if (typed.length === 0) return commands
  return commands
    .map((command) => ({ command, rank: computeRank(command, typed) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ command }) => command)
}

/** The rank of the worst matching word; 0 if a word does not match. */
function computeRank(
  { label, hint = '', keywords = '' }: Command,
  typed: readonly string[],
): number {
  const name = wordsIn(label)
  const others = wordsIn(`${hint} ${keywords}`)
  const ranks = typed.map((one) => {
    if (name.some((each) => each.startsWith(one))) return name[0]?.startsWith(one) ? 4 : 3
    if (others.some((each) => each.startsWith(one))) return 2
    return [...name, ...others].some((each) => each.includes(one)) ? 1 : 0
  })
  return Math.min(...ranks)
}

function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean)
}
