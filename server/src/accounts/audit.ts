import { type AuditAction, auditActions, countedBy } from '@assay/contract/audit.ts'
import { limits } from '@assay/contract/limits.ts'
import { toClientNetwork } from '../platform/client-network.ts'
import { newOrderedId } from '../platform/ids.ts'
import type { AuditRepeat } from '../storage/accounts/audit-store.ts'
import type { AuditActorKind, AuditRow } from '../storage/accounts/audit-tables.ts'
import type { Timestamp } from '../storage/accounts/column-types.ts'
import type { AccountStores } from '../storage/accounts/stores.ts'
import type { ClientFacts, SignedIn } from './caller.ts'

/*
 * Writes the audit log. Call `recordEvent` with the stores of the transaction that makes the change: a change that
 * cannot be recorded is not made.
 */

/** Who makes a change, and from where. */
export interface Actor {
  readonly kind: AuditActorKind
  readonly id: string | null
  readonly email: string | null
  /** Null on the command line. */
  readonly client: ClientFacts | null
}

export function userActor(
  { id, email }: Pick<SignedIn['user'], 'id' | 'email'>,
  client: ClientFacts,
): Actor {
  return { kind: 'user', id, email, client }
}

/** A person who is not signed in, for example after a failed sign-in. */
export function anonymousActor(client: ClientFacts): Actor {
  return { kind: 'anonymous', id: null, email: null, client }
}

/** An operator on the machine of the service. */
export const commandLineActor: Actor = { kind: 'command line', id: null, email: null, client: null }

type Detail = string | number | boolean | null | readonly string[]

/** The event. `details` has exactly the members that the contract lists for the action. */
export type AuditEvent = {
  readonly [Action in AuditAction]: {
    readonly action: Action
    /** Null for events of the platform. */
    readonly organizationId: string | null
    /** The id of the target that the contract declares for the action; null when there is none. */
    readonly targetId: string | null
    readonly details: Readonly<Record<(typeof auditActions)[Action]['details'][number], Detail>>
  }
}[AuditAction]

/**
 * Records an event with the given stores, or `count` of them; rejects when it cannot be written. Events that one actor
 * repeats get a limited number of entries a day.
 */
export async function recordEvent(
  event: AuditEvent,
  actor: Actor,
  at: Timestamp,
  stores: Pick<AccountStores, 'audit'>,
  count = 1,
): Promise<void> {
  await recordLine({ ...eventLine(event, actor, at), event_count: count }, stores)
}

/** Records an event as `recordEvent` does. */
export async function recordLine(
  line: AuditRow,
  { audit }: Pick<AccountStores, 'audit'>,
): Promise<void> {
  const by = countedBy(line.action)
  if (by === undefined) await audit.append(line)
  else await audit.appendRepeated(line, toRepeat(line, by))
}

/** The row of an event that is recorded later. */
export function eventLine(
  event: AuditEvent,
  { kind, id, email, client }: Actor,
  at: Timestamp,
): AuditRow {
  const { target, details: listed } = auditActions[event.action]
  const given: Readonly<Record<string, Detail>> = event.details
  // The type rejects other members in a literal, but not in a wider object.
  const details = Object.fromEntries(listed.map((name) => [name, given[name] ?? null]))
  return {
    id: newOrderedId(),
    at,
    organization_id: event.organizationId,
    actor_kind: kind,
    actor_id: id,
    actor_email: email,
    action: event.action,
    target_kind: target,
    target_id: event.targetId,
    client_address: client?.address ?? null,
    user_agent: client?.userAgent ?? null,
    request_id: client?.requestId ?? null,
    details: JSON.stringify(details),
    event_count: 1,
    last_at: null,
  }
}

const dayMs = 24 * 60 * 60_000

function toRepeat(line: AuditRow, by: readonly string[]): AuditRepeat {
  const day = line.at.slice(0, 10)
  const key = [day, line.organization_id, line.actor_kind, line.actor_id, line.action]
  const details = JSON.parse(line.details) as Readonly<Record<string, Detail>>
  const values: typeof details = { ...details, target: line.target_id }
  const network = line.client_address === null ? null : toClientNetwork(line.client_address)
  const isAnonymous = line.actor_kind === 'anonymous'
  return {
    key: JSON.stringify(key),
    entriesMax: (isAnonymous ? limits.anonymousAuditEntries : limits.auditEntries).value,
    countedKey: JSON.stringify([...key, network, ...by.map((name) => values[name])]),
    expiresAt: new Date(Date.parse(day) + 2 * dayMs).toISOString(),
  }
}
