import type { ReceivedCall, Step } from './scripted-model.ts'

/*
 * A scripted model that writes scenarios: what it is asked for, and a different text for each.
 */

interface AskedCell {
  readonly cell: number
  readonly user_turns: number
}

export const cellsOf = ({ texts }: ReceivedCall): readonly AskedCell[] =>
  [...(texts[0] ?? '').matchAll(/^\{"cell":.*$/gm)].map(([line]) => JSON.parse(line) as AskedCell)

const digits = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
/** Words that differ in each scenario. */
const wordsOf = (cell: number) =>
  Array.from({ length: 12 }, (_, n) => `${digits[(cell * 7 + n) % 10]}${cell}x${n}`).join(' ')

export const itemFor = ({ cell, user_turns }: AskedCell, mark = '') => ({
  ...{ cell, name: `Scenario ${cell}${mark}`, goal: 'Get the order.', known: ['order id: 7'] },
  ...{ unknown: [], satisfied_when: 'it is found' },
  turns: Array.from({ length: user_turns }, (_, n) => `${mark}${wordsOf(cell)} ${n}`),
})

/** Writes every requested scenario. */
export const writesAll: Step = (call) => ({
  answer: { scenarios: cellsOf(call).map((one) => itemFor(one)) },
})
