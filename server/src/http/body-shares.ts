import type { Access } from '@assay/contract/access.ts'
import { limits } from '@assay/contract/limits.ts'
import { openFairBudget } from '../platform/fair-budget.ts'
import type { Requester } from '../platform/requester.ts'

/*
 * Limits the bytes of buffered request bodies, so that many large or unfinished bodies are refused instead of exhausting
 * memory. Requests of each kind of caller have a budget of their own, and each caller has a share of it: nobody else's
 * requests are refused for what one caller sends.
 */

/** What one caller may buffer. */
export interface BodyShare {
  /** Throws Unavailable. */
  take(bytes: number): void
  release(bytes: number): void
}

export type BodyShares = (access: Access, requester: Requester) => BodyShare

export function openBodyShares(): BodyShares {
  const budgets = {
    anonymous: bodyBudget(limits.anonymousBodies.value, limits.anonymousBodiesOfNetwork.value),
    session: bodyBudget(limits.sessionBodies.value, limits.sessionBodiesOfUser.value),
    'tracing-key': bodyBudget(limits.ingestBodies.value, limits.ingestBodiesOfProject.value),
  }
  return (access, [, owner]) => {
    const budget = budgets[access.by]
    return {
      take: (bytes) => budget.take(owner, bytes),
      release: (bytes) => budget.release(owner, bytes),
    }
  }
}

function bodyBudget(total: number, share: number) {
  const refusal = 'Too much is being received at once. Try again shortly.'
  return openFairBudget({ total, share, refusal })
}
