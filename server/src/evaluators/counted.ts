/*
 * Counts in the sentences of results.
 */

/** What is counted: `tool call` and `tool calls`. */
export type Noun = readonly [one: string, many: string]

const numbers = new Intl.NumberFormat('en-US')

/** `3,333`. */
export function formatCount(count: number): string {
  return numbers.format(count)
}

/** `The only tool call is`, `All 3,333 tool calls are`. */
export function allAre(count: number, [one, many]: Noun): string {
  return count === 1 ? `The only ${one} is` : `All ${formatCount(count)} ${many} are`
}

/** `The only tool call`, `2 of 3,333 tool calls`; for at least one of them. */
export function someOf(part: number, count: number, [one, many]: Noun): string {
  return count === 1 ? `The only ${one}` : `${formatCount(part)} of ${formatCount(count)} ${many}`
}
