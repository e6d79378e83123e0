import { limits } from '@assay/contract/limits.ts'
import type { Clock } from '../platform/clock.ts'
import type { Counters } from '../platform/counters.ts'
import type { Log } from '../platform/log.ts'
import { openRateLimit } from '../platform/rate-limit.ts'
import type { AccountStores } from '../storage/accounts/stores.ts'
import { type Actor, type AuditEvent, recordEvent } from './audit.ts'

/*
 * Records refused sign-ins, and refused tests of identity providers, in the audit log. Anybody can cause them, so only
 * some of an organization, and of the service, are recorded one by one; the others once a minute, as counts by account
 * and reason.
 */

export interface RefusedSignIn {
  /** Null when no organization is concerned. */
  readonly organizationId: string | null
  /** Null when no account is concerned. */
  readonly userId: string | null
  readonly reason: string
  /** For a test of an identity provider. */
  readonly testedConfigId?: string
}

export interface RefusedSignIns {
  record(refused: RefusedSignIn, actor: Actor): Promise<void>
  /** Records what has been counted so far. What cannot be recorded is logged, and tried again a minute later. */
  flush(): Promise<void>
}

export interface RefusedSignInPorts {
  readonly accounts: Pick<AccountStores, 'audit'>
  readonly counters: Counters
  readonly clock: Clock
  readonly log: Log
}

const minuteMs = 60_000

/** Of the counts of a minute; beyond it, counts are not by account. */
const countedAccountsMax = 20

/** Clients are not recorded with counts. */
const anybody: Actor = { kind: 'anonymous', id: null, email: null, client: null }

export function openRefusedSignIns({
  accounts,
  counters,
  clock,
  log,
}: RefusedSignInPorts): RefusedSignIns {
  const burst = limits.refusedSignInsPerMinute.value
  const rate = { burst, intervalMs: minuteMs / burst }
  const limit = openRateLimit(counters('refused sign-ins by organization'), rate)
  const counts = new Map<string, { readonly refused: RefusedSignIn; readonly count: number }>()
  let flushing: NodeJS.Timeout | undefined

  const append = (refused: RefusedSignIn, count: number, actor: Actor) =>
    recordEvent(toEvent(refused), actor, clock.now().toISOString(), accounts, count)
  const flush = async () => {
    clearTimeout(flushing)
    flushing = undefined
    const unrecorded = [...counts.values()]
    counts.clear()
    try {
      for (let next = unrecorded[0]; next !== undefined; next = unrecorded[0]) {
        await append(next.refused, next.count, anybody)
        unrecorded.shift()
      }
    } catch (error) {
      log.error('refused sign-ins could not be recorded', error)
      for (const { refused, count } of unrecorded) add(refused, count)
    }
  }
  const add = (refused: RefusedSignIn, count: number) => {
    const byAccount = JSON.stringify(refused)
    const isByAccount = counts.has(byAccount) || counts.size < countedAccountsMax
    const counted = isByAccount ? refused : { ...refused, userId: null }
    const key = JSON.stringify(counted)
    counts.set(key, { refused: counted, count: (counts.get(key)?.count ?? 0) + count })
    flushing ??= setTimeout(() => void flush(), minuteMs).unref()
  }
  return {
    async record(refused, actor) {
      if ((await limit.take(refused.organizationId ?? '')) === 0) await append(refused, 1, actor)
      else add(refused, 1)
    },
    flush,
  }
}

function toEvent({ organizationId, userId, reason, testedConfigId }: RefusedSignIn): AuditEvent {
  if (testedConfigId !== undefined) {
    const details = { outcome: reason }
    return { action: 'sso_config.tested', organizationId, targetId: testedConfigId, details }
  }
  return {
    action: 'session.refused',
    organizationId,
    targetId: userId,
    // Not the address, because people type passwords into the wrong field.
    details: { reason },
  }
}
