import { expect, test } from 'vitest'
import { Unavailable } from './failure.ts'
import { type MemberBudget, openByteBudget, openMemberBudget } from './member-budget.ts'
import type { Requester } from './requester.ts'

const refusal = 'Too many at once.'
const open = () => openMemberBudget({ total: 100, ofOrganization: 40, ofUser: 10, refusal })

/** Takes all that the person can have. */
function exhaust(budget: MemberBudget, requester: Requester): (() => void)[] {
  const taken: (() => void)[] = []
  expect(() => {
    for (;;) taken.push(budget.take(requester))
  }).toThrow(new Unavailable(refusal, 1))
  return taken
}

test('a person who has used up their share leaves the share of others', () => {
  const budget = open()
  expect(exhaust(budget, ['a', 'ana'])).toHaveLength(10)
  expect(exhaust(budget, ['b', 'ana'])).toHaveLength(0)
  expect(exhaust(budget, ['a', 'bob'])).toHaveLength(10)
})

test('the people of one organization leave room for other organizations', () => {
  const budget = open()
  const taken = Array.from({ length: 10 }, (_, n) => exhaust(budget, ['a', `person ${n}`]))
  expect(taken.flat()).toHaveLength(40)
  expect(exhaust(budget, ['b', 'victim'])).toHaveLength(10)
})

test('what is given back can be taken again, also after a refusal by the organization', () => {
  const budget = open()
  const people = Array.from({ length: 10 }, (_, n): Requester => ['a', `person ${n}`])
  for (let round = 0; round < 3; round += 1) {
    const taken = people.flatMap((person) => exhaust(budget, person))
    expect(taken).toHaveLength(40)
    for (const release of taken) release()
  }
})

test('amounts count in full', () => {
  const budget = open()
  const release = budget.take(['a', 'ana'], 8)
  expect(() => budget.take(['a', 'ana'], 3)).toThrow(new Unavailable(refusal, 1))
  expect(exhaust(budget, ['a', 'ana'])).toHaveLength(2)
  release()
  expect(exhaust(budget, ['a', 'ana'])).toHaveLength(8)
})

test('however little memory there is, an item fits that is taken in parts or at once, also while another organization holds as much', () => {
  const little = openByteBudget({ total: 4, ofOrganization: 2, ofUser: 1, refusal }, 10)
  expect(exhaust(little, ['a', 'ana'])).toHaveLength(10)
  const taken = exhaust(little, ['b', 'bob'])
  expect(taken).toHaveLength(10)
  for (const release of taken) release()
  little.take(['b', 'bob'], 10)
})
