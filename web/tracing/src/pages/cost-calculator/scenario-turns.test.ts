import { expect, test } from 'vitest'
import { joinTurns, splitTurns } from './scenario-turns.ts'

const turn = (content: string) => ({ role: 'user' as const, content })

test('messages survive as one text, also with several lines', () => {
  const turns = [turn('Hello.\n\nWhere is my order?'), turn('It is order 7 - the red one.')]
  expect(splitTurns(joinTurns(turns))).toEqual(turns)
})

test('empty messages are left out', () => {
  expect(splitTurns('\n---\n Hello. \n-----\n\n---')).toEqual([turn('Hello.')])
})
