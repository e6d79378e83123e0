import { type AuditAction, auditActions } from '@assay/contract/audit.ts'
import { newOrderedId } from '../platform/ids.ts'
import type { AccountStores } from '../storage/accounts/stores.ts'
import type { AuditActorKind, AuditRow, Timestamp } from '../storage/accounts/tables.ts'
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

/** The bearer of the set-up token. */
export function setUpActor(client: ClientFacts): Actor {
  return { kind: 'set-up', id: null, email: null, client }
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

/** Appends one event with the given stores; rejects when it cannot be written. */
export async function recordEvent(
  event: AuditEvent,
  actor: Actor,
  at: Timestamp,
  { audit }: Pick<AccountStores, 'audit'>,
): Promise<void> {
  await audit.append(eventLine(event, actor, at))
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
  }
}
