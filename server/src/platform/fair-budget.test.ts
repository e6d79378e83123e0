import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Unavailable } from './failure.ts'
import { openFairBudget } from './fair-budget.ts'

const refusal = 'Too much at once.'

describe('a fair budget', () => {
  test('refuses an owner beyond its share, and still serves the others', () => {
    const budget = openFairBudget({ total: 100, share: 40, refusal })
    budget.take('attacker', 40)
    expect(() => budget.take('attacker', 1)).toThrow(new Unavailable(refusal, 1))
    budget.take('victim', 30)
    budget.release('attacker', 40)
    budget.take('attacker', 20)
  })

  test('has room for one more, however many owners take all that they can', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), (owners) => {
        const budget = openFairBudget({ total: 1000, share: 250, refusal })
        for (let owner = 0; owner < owners; owner += 1) {
          expect(() => {
            for (;;) budget.take(`${owner}`, 1)
          }).toThrow(Unavailable)
        }
        budget.take('victim', 1)
      }),
    )
  })

  test('never gives out more than its total', () => {
    const budget = openFairBudget({ total: 100, share: 60, refusal })
    budget.take('a', 50)
    expect(() => budget.take('b', 26)).toThrow(new Unavailable(refusal, 1))
    budget.take('b', 25)
  })

  test('accepts one item that is larger than the share while its owner holds nothing', () => {
    const budget = openFairBudget({ total: 100, share: 10, refusal })
    budget.take('a', 50)
    expect(() => budget.take('a', 1)).toThrow(Unavailable)
  })

  test('has everything back when everything is released, whatever was refused meanwhile', () => {
    const takes = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(50)))
    fc.assert(
      fc.property(takes, (wanted) => {
        const budget = openFairBudget({ total: 100, share: 60, refusal })
        const taken = wanted.filter(([owner, bytes]) => {
          try {
            budget.take(owner, bytes)
            return true
          } catch {
            return false
          }
        })
        for (const [owner, bytes] of taken) budget.release(owner, bytes)
        budget.take('a', 100)
      }),
    )
  })
})
