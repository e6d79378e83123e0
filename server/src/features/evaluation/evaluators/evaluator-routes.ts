import {
  createEvaluator,
  deleteEvaluator,
  listEvaluators,
  updateEvaluator,
} from '@assay/contract/evaluators.ts'
import { limits } from '@assay/contract/limits.ts'
import { type Actor, recordEvent, userActor } from '../../../accounts/audit.ts'
import { checkListLimit } from '../../../accounts/list-limit.ts'
import { listBuiltIn } from '../../../evaluators/built-in.ts'
import type { Bind } from '../../../http/call.ts'
import type { LongLists } from '../../../http/long-lists.ts'
import type { Clock } from '../../../platform/clock.ts'
import { Failure } from '../../../platform/failure.ts'
import { newOrderedId } from '../../../platform/ids.ts'
import type { Accounts } from '../../../storage/accounts/connect.ts'
import type { EvaluatorRow } from '../../../storage/accounts/evaluation-tables.ts'
import { listAllEvaluators, toApiEvaluator } from './evaluators.ts'

export interface EvaluatorPorts {
  readonly bind: Bind
  readonly accounts: Accounts
  readonly clock: Clock
  readonly longLists: LongLists
}

export function registerEvaluators({ bind, accounts, clock, longLists }: EvaluatorPorts): void {
  bind(listEvaluators, ({ caller: { organizationId }, query: { category }, readOptions }) => {
    const read = async () => {
      const all = await listAllEvaluators(organizationId, accounts)
      return all.filter((one) => category === undefined || one.category === category)
    }
    return longLists(readOptions, read, JSON.stringify)
  })

  bind(createEvaluator, async ({ caller, client, body: { tags, ...fields } }) => {
    const { organizationId, user } = caller
    const row: EvaluatorRow = {
      ...{ id: newOrderedId(), organization_id: organizationId, ...fields },
      ...{ tags: JSON.stringify(tags), created_at: clock.now().toISOString() },
    }
    await accounts.transaction(async (stores) => {
      await stores.organizations.lock(organizationId)
      const count = await stores.evaluators.count(organizationId)
      const limit = limits.evaluatorsPerOrganization
      checkListLimit(count, limit, 'An organization', 'Delete one first.')
      await stores.evaluators.insert(row)
      await record('evaluator.created', row, userActor(user, client), row.created_at, stores)
    })
    return toApiEvaluator(row)
  })

  bind(updateEvaluator, async ({ caller, client, params: { evaluatorId }, body }) => {
    const { organizationId, user } = caller
    refuseBuiltIn(evaluatorId, organizationId)
    const { tags, ...fields } = body
    const changes = { ...fields, ...(tags && { tags: JSON.stringify(tags) }) }
    const row = await accounts.transaction(async (stores) => {
      const changed = await stores.evaluators.update(organizationId, evaluatorId, changes)
      if (changed === undefined) throw notFound()
      const at = clock.now().toISOString()
      await record('evaluator.updated', changed, userActor(user, client), at, stores)
      return changed
    })
    return toApiEvaluator(row)
  })

  bind(deleteEvaluator, async ({ caller, client, params: { evaluatorId } }) => {
    const { organizationId, user } = caller
    refuseBuiltIn(evaluatorId, organizationId)
    await accounts.transaction(async (stores) => {
      const row = await stores.evaluators.remove(organizationId, evaluatorId)
      if (row === undefined) throw notFound()
      await stores.evaluatorCollections.removeEvaluator(organizationId, evaluatorId)
      const at = clock.now().toISOString()
      await record('evaluator.removed', row, userActor(user, client), at, stores)
    })
    return { deleted: true as const }
  })
}

const notFound = () => new Failure('NOT_FOUND', 'Evaluator not found.')

function refuseBuiltIn(id: string, organizationId: string): void {
  if (!listBuiltIn(organizationId).some((one) => one.id === id)) return
  throw new Failure('FORBIDDEN', 'A built-in evaluator cannot be changed or deleted.')
}

function record(
  action: 'evaluator.created' | 'evaluator.updated' | 'evaluator.removed',
  { id, organization_id: organizationId, name }: EvaluatorRow,
  actor: Actor,
  at: string,
  stores: Parameters<typeof recordEvent>[3],
): Promise<void> {
  return recordEvent({ action, organizationId, targetId: id, details: { name } }, actor, at, stores)
}
