import { openFairBudget } from './fair-budget.ts'
import type { Requester } from './requester.ts'
import { scaleToMemory } from './scale-to-memory.ts'

/*
 * Limits how much people hold at once, such as waiting reads, open streams or unsent bytes: in total, for the people of
 * one organization together, and for each person, so that nobody can use up what others need.
 */

export interface MemberBudget {
  /** Takes an amount, one by default, or throws Unavailable. Call the returned function once, to give it back. */
  take(requester: Requester, amount?: number): () => void
}

export interface MemberBudgetOptions {
  readonly total: number
  readonly ofOrganization: number
  readonly ofUser: number
  /** Explains the refusal to the caller. */
  readonly refusal: string
}

/**
 * For bytes in memory: less where memory is scarce, but enough for an item of `least` bytes, taken at once or in parts, also
 * while another organization holds as much.
 */
export function openByteBudget(
  { total, ofOrganization, ofUser, refusal }: MemberBudgetOptions,
  least = 0,
): MemberBudget {
  return openMemberBudget({
    total: Math.max(scaleToMemory(total), 3 * least),
    ofOrganization: Math.max(scaleToMemory(ofOrganization), least),
    ofUser: Math.max(scaleToMemory(ofUser), least),
    refusal,
  })
}

export function openMemberBudget(options: MemberBudgetOptions): MemberBudget {
  const { total, ofOrganization, ofUser, refusal } = options
  const organizations = openFairBudget({ total, share: ofOrganization, refusal })
  // Their organizations limit the total.
  const users = openFairBudget({ total: Number.POSITIVE_INFINITY, share: ofUser, refusal })
  return {
    take([organizationId, userId], amount = 1) {
      users.take(userId, amount)
      try {
        organizations.take(organizationId, amount)
      } catch (error) {
        users.release(userId, amount)
        throw error
      }
      return () => {
        users.release(userId, amount)
        organizations.release(organizationId, amount)
      }
    },
  }
}
