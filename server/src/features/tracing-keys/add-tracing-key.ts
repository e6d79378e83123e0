import { limits } from '@assay/contract/limits.ts'
import { checkListLimit } from '../../accounts/list-limit.ts'
import type { TracingKeyRow } from '../../storage/accounts/people-tables.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'

/**
 * In a project with as many keys as it can have, the new key replaces the one that was revoked first, so that keys can
 * be rotated forever. Throws CONFLICT if none is revoked. Call it with the stores of a transaction.
 */
export async function addTracingKey(
  row: TracingKeyRow,
  { projects, tracingKeys }: Pick<AccountStores, 'projects' | 'tracingKeys'>,
): Promise<void> {
  await projects.lock(row.project_id)
  const count = await tracingKeys.count(row.project_id)
  const isFull = count >= limits.tracingKeysPerProject.value
  if (isFull && !(await tracingKeys.removeFirstRevoked(row.project_id))) {
    checkListLimit(count, limits.tracingKeysPerProject, 'A project', 'Revoke one first.')
  }
  await tracingKeys.insert(row)
}
