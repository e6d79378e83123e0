import {
  createTracingKey,
  listTracingKeys,
  revokeTracingKey,
  type TracingKey,
} from '@assay/contract/tracing-keys.ts'
import { newTracingKey } from '../../accounts/tracing-key.ts'
import type { Bind } from '../../http/call.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'
import type { TracingKeyRow } from '../../storage/accounts/tables.ts'

interface Ports {
  readonly bind: Bind
  readonly accounts: Pick<AccountStores, 'tracingKeys'>
  readonly clock: Clock
}

export function registerTracingKeys({ bind, accounts: { tracingKeys }, clock }: Ports): void {
  bind(listTracingKeys, async ({ caller }) => {
    const keys = await tracingKeys.ofProject(caller.projectId)
    return keys.map(shown)
  })

  bind(createTracingKey, async ({ caller, body }) => {
    const at = clock.now().toISOString()
    const { key, row } = newTracingKey(caller.projectId, body.environment, caller.user.id, at)
    await tracingKeys.insert(row)
    return { ...shown(row), key }
  })

  bind(revokeTracingKey, async ({ caller, params }) => {
    const at = clock.now().toISOString()
    const isRevoked = await tracingKeys.revoke(caller.projectId, params.keyId, at)
    // The specification wants a key that is not there, or not any more, answered as a server failure.
    if (!isRevoked) throw new Failure('INTERNAL_ERROR', 'An unexpected error occurred.')
    return { status: 'revoked' as const }
  })
}

function shown({ id, key_prefix, key_hint, created_at, revoked_at }: TracingKeyRow): TracingKey {
  return { id, key_prefix, key_hint, created_at, revoked_at }
}
