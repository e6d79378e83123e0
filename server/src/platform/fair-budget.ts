import { Unavailable } from './failure.ts'

/**
 * Limits what is held at once, such as bytes or waiting requests: in total, and for each owner, so that nobody can use up
 * what others need. An owner gets at most half of what the others leave, so however many hold their share, there is room
 * for one more.
 */
export interface FairBudget {
  /**
   * Takes an amount for an owner, or throws Unavailable. An owner that holds nothing may exceed its share with one item,
   * and anything is accepted while nobody holds anything. Give back what was taken.
   */
  take(owner: string, amount: number): void
  release(owner: string, amount: number): void
}

export interface FairBudgetOptions {
  readonly total: number
  /** The maximum for one owner. */
  readonly share: number
  /** Explains the refusal to the caller. */
  readonly refusal: string
}

export function openFairBudget({ total, share, refusal }: FairBudgetOptions): FairBudget {
  const heldBy = new Map<string, number>()
  let held = 0
  return {
    take(owner, amount) {
      const own = heldBy.get(owner) ?? 0
      const room = (total - (held - own)) / 2
      const max = own === 0 ? room : Math.min(room, share)
      if (held > 0 && own + amount > max) throw new Unavailable(refusal, 1)
      heldBy.set(owner, own + amount)
      held += amount
    },
    release(owner, amount) {
      const rest = (heldBy.get(owner) ?? 0) - amount
      if (rest > 0) heldBy.set(owner, rest)
      else heldBy.delete(owner)
      held -= amount
    },
  }
}
