import { openFairBudget } from './fair-budget.ts'
import type { Requester } from './requester.ts'

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
