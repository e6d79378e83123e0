import { fairBudget } from './fair-budget.ts'

/*
 * Limits how many items, such as waiting reads or open streams, people have at once: in total, for the people of one
 * organization together, and for each person, so that nobody can use up what others need.
 */

export type Member = readonly [organizationId: string, userId: string]

export interface MemberBudget {
  /** Takes one item or throws Unavailable. Call the returned function once, to give it back. */
  take(member: Member): () => void
}

export interface MemberBudgetOptions {
  readonly total: number
  readonly ofOrganization: number
  readonly ofUser: number
  /** Explains the refusal to the caller. */
  readonly refusal: string
}

export function memberBudget(options: MemberBudgetOptions): MemberBudget {
  const { total, ofOrganization, ofUser, refusal } = options
  const organizations = fairBudget({ total, share: ofOrganization, refusal })
  // Their organizations limit the total.
  const users = fairBudget({ total: Number.POSITIVE_INFINITY, share: ofUser, refusal })
  return {
    take([organizationId, userId]) {
      users.take(userId, 1)
      try {
        organizations.take(organizationId, 1)
      } catch (error) {
        users.release(userId, 1)
        throw error
      }
      return () => {
        users.release(userId, 1)
        organizations.release(organizationId, 1)
      }
    },
  }
}
