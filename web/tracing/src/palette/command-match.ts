/*
 * Which commands a typed text asks for, the likeliest first.
 */

export interface Command {
  readonly id: string
  /** What it does or where it leads, as it is listed. */
  readonly word: string
  /** Where that is, smaller beside it. */
  readonly hint?: string
  /** Other words by which people look for it. */
  readonly also?: string
  readonly run: () => void
}

/**
 * Every typed word has to occur; those whose words begin with what was typed come before those that only hold it,
 * and what is listed first stays first otherwise. No text asks for everything.
 */
export function matchingCommands(commands: readonly Command[], text: string): readonly Command[] {
  const asked = wordsIn(text)
  if (asked.length === 0) return commands
  return commands
    .map((command) => ({ command, rank: rankOf(command, asked) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ command }) => command)
}

/** 0 where a word does not occur, else the rank of the one that fits worst. */
function rankOf({ word, hint = '', also = '' }: Command, asked: readonly string[]): number {
  const name = wordsIn(word)
  const others = wordsIn(`${hint} ${also}`)
  const ranks = asked.map((one) => {
    if (name.some((each) => each.startsWith(one))) return name[0]?.startsWith(one) ? 4 : 3
    if (others.some((each) => each.startsWith(one))) return 2
    return [...name, ...others].some((each) => each.includes(one)) ? 1 : 0
  })
  return Math.min(...ranks)
}

function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean)
}
