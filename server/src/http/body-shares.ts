import type { Access } from '@assay/contract/access.ts'
import { limits } from '@assay/contract/limits.ts'
import type { KeyCaller, SignedIn } from '../accounts/caller.ts'
import { toClientNetwork } from '../platform/client-network.ts'
import { fairBudget } from '../platform/fair-budget.ts'

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

export type BodyShares = (access: Access, caller: unknown, address: string) => BodyShare

export function openBodyShares(): BodyShares {
  const budgets = {
    anonymous: bodyBudget(limits.anonymousBodies.value, limits.anonymousBodiesOfNetwork.value),
    session: bodyBudget(limits.sessionBodies.value, limits.sessionBodiesOfUser.value),
    'tracing-key': bodyBudget(limits.ingestBodies.value, limits.ingestBodiesOfProject.value),
  }
  return (access, caller, address) => {
    const budget = budgets[access.by]
    const owner = findOwner(access, caller, address)
    return {
      take: (bytes) => budget.take(owner, bytes),
      release: (bytes) => budget.release(owner, bytes),
    }
  }
}

function bodyBudget(total: number, share: number) {
  const refusal = 'Too much is being received at once. Try again shortly.'
  return fairBudget({ total, share, refusal })
}

function findOwner(access: Access, caller: unknown, address: string): string {
  if (access.by === 'tracing-key') return (caller as KeyCaller).projectId
  if (access.by === 'session') return (caller as SignedIn).user.id
  return toClientNetwork(address)
}
