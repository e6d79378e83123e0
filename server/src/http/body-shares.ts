import type { Access } from '@assay/contract/access.ts'
import { limits } from '@assay/contract/limits.ts'
import { openByteBudget } from '../platform/member-budget.ts'
import type { Requester } from '../platform/requester.ts'

/*
 * Limits the bytes of buffered request bodies, so that many large or unfinished bodies are refused instead of exhausting
 * memory. Requests of each kind of caller have a budget of their own, and each organization and caller has a share of it:
 * nobody else's requests are refused for what they send.
 */

/** What one request may buffer. */
export interface BodyShare {
  /** Throws Unavailable. */
  take(bytes: number): void
  /** Gives back all that was taken. */
  release(): void
}

export type BodyShares = (access: Access, requester: Requester) => BodyShare

const refusal = 'Too much is being received at once. Try again shortly.'

export function openBodyShares(): BodyShares {
  const budgets = {
    anonymous: openByteBudget({
      total: limits.anonymousBodies.value,
      ofOrganization: limits.anonymousBodiesOfNetwork.value,
      ofUser: limits.anonymousBodiesOfNetwork.value,
      refusal,
    }),
    session: openByteBudget(
      {
        total: limits.sessionBodies.value,
        ofOrganization: limits.sessionBodiesOfOrganization.value,
        ofUser: limits.sessionBodiesOfUser.value,
        refusal,
      },
      limits.attachmentBodyBytes.value,
    ),
    'tracing-key': openByteBudget(
      {
        total: limits.ingestBodies.value,
        ofOrganization: limits.ingestBodiesOfOrganization.value,
        ofUser: limits.ingestBodiesOfProject.value,
        refusal,
      },
      limits.ingestBodyBytes.value,
    ),
  }
  return (access, requester) => {
    const budget = budgets[access.by]
    const taken: (() => void)[] = []
    return {
      take: (bytes) => void taken.push(budget.take(requester, bytes)),
      release() {
        for (const giveBack of taken.splice(0)) giveBack()
      },
    }
  }
}
