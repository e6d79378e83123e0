import {
  createTracingKey,
  listTracingKeys,
  revokeTracingKey,
  type TracingKey,
} from '@assay/contract/tracing-keys.ts'
import { recordEvent, userActor } from '../../accounts/audit.ts'
import { newTracingKey, tracingKeyCreated } from '../../accounts/tracing-key.ts'
import type { Bind } from '../../http/call.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { TracingKeyRow } from '../../storage/accounts/people-tables.ts'
import { addTracingKey } from './add-tracing-key.ts'

interface Ports {
  readonly bind: Bind
  readonly accounts: Accounts
  readonly clock: Clock
}

export function registerTracingKeys({ bind, accounts, clock }: Ports): void {
  bind(listTracingKeys, async ({ caller }) => {
    const keys = await accounts.tracingKeys.list(caller.projectId)
    return keys.map(toApiTracingKey)
  })

  bind(createTracingKey, async ({ caller, client, body }) => {
    const at = clock.now().toISOString()
    const { name, environment } = body
    const { key, row } = newTracingKey(caller.projectId, environment, caller.user.id, at, name)
    await accounts.transaction(async (stores) => {
      await addTracingKey(row, stores)
      const event = tracingKeyCreated(caller.organizationId, row)
      await recordEvent(event, userActor(caller.user, client), at, stores)
    })
    return { ...toApiTracingKey(row), key }
  })

  bind(revokeTracingKey, async ({ caller, client, params }) => {
    const at = clock.now().toISOString()
    await accounts.transaction(async (stores) => {
      const isRevoked = await stores.tracingKeys.revoke(caller.projectId, params.keyId, at)
      // Specification: an unknown or already revoked key is a server error.
      if (!isRevoked) throw new Failure('INTERNAL_ERROR', 'An unexpected error occurred.')
      await recordEvent(
        {
          action: 'tracing_key.revoked',
          organizationId: caller.organizationId,
          targetId: params.keyId,
          details: { project_id: caller.projectId },
        },
        userActor(caller.user, client),
        at,
        stores,
      )
    })
    return { status: 'revoked' as const }
  })
}

function toApiTracingKey({
  id,
  name,
  key_prefix,
  key_hint,
  created_at,
  last_used_at,
  revoked_at,
}: TracingKeyRow): TracingKey {
  return { id, name, key_prefix, key_hint, created_at, last_used_at, revoked_at }
}
