import {
  createEvaluationRule,
  type EvaluationRule,
  listEvaluationRules,
  removeEvaluationRule,
  updateEvaluationRule,
} from '@assay/contract/evaluation-rules.ts'
import { limits } from '@assay/contract/limits.ts'
import { recordEvent, userActor } from '../../../accounts/audit.ts'
import { checkListLimit } from '../../../accounts/list-limit.ts'
import type { Bind, Call } from '../../../http/call.ts'
import { getConfiguredModel } from '../../../model-gateway/get-configured-model.ts'
import type { Models } from '../../../model-gateway/models.ts'
import type { Clock } from '../../../platform/clock.ts'
import { Failure } from '../../../platform/failure.ts'
import { newOrderedId } from '../../../platform/ids.ts'
import type { Timestamp } from '../../../storage/accounts/column-types.ts'
import type { Accounts } from '../../../storage/accounts/connect.ts'
import type { EvaluationRuleChange } from '../../../storage/accounts/evaluation-rule-store.ts'
import type { EvaluationRuleRow } from '../../../storage/accounts/evaluation-tables.ts'
import { findCollection, findPricedModel } from '../evaluation-target.ts'
import { loadCollections } from '../evaluators/evaluators.ts'
import { needsModel } from '../judges/judge-model.ts'
import { newRuleProgress, toApiRule } from './rule-progress.ts'
import { findRuleTarget } from './rule-target.ts'

export interface EvaluationRulePorts {
  readonly bind: Bind
  readonly accounts: Accounts
  readonly models: Pick<Models, 'findConfigured'>
  readonly clock: Clock
}

export function registerEvaluationRules(ports: EvaluationRulePorts): void {
  const { bind, accounts, clock } = ports

  bind(listEvaluationRules, async ({ caller: { projectId, organizationId } }) =>
    toApiRules(await accounts.evaluationRules.list(projectId), organizationId, ports),
  )

  bind(createEvaluationRule, async (call) => {
    const { projectId, organizationId, user } = call.caller
    const { name, is_enabled, filters, sample_rate, max_cost_usd_per_day } = call.body
    const now = clock.now().toISOString()
    const row: EvaluationRuleRow = {
      ...{ id: newOrderedId(), organization_id: organizationId, project_id: projectId, name },
      ...{ is_enabled: is_enabled ? 1 : 0, filters: JSON.stringify(filters), sample_rate },
      collection_id: call.body.collection_id,
      model_config_id: call.body.model_config_id ?? null,
      ...{ max_cost_usd_per_day, created_by: user.id, created_at: now, updated_at: now },
      ...{ active_since: now, ...newRuleProgress(now) },
    }
    await checkModel(row, ports)
    await checkTarget(row, ports)
    await accounts.transaction(async (stores) => {
      await stores.organizations.lock(organizationId)
      const { length } = await stores.evaluationRules.list(projectId)
      checkListLimit(length, limits.evaluationRulesPerProject, 'A project', 'Delete one first.')
      await stores.evaluationRules.insert(row)
      await record('evaluation_rule.created', row, call, now, stores)
    })
    return await toApi(row, ports)
  })

  bind(updateEvaluationRule, (call) => update(call, ports))

  bind(removeEvaluationRule, async (call) => {
    await accounts.transaction(async (stores) => {
      const { projectId } = call.caller
      const row = await stores.evaluationRules.remove(projectId, call.params.ruleId)
      if (row === undefined) throw notFound()
      await record('evaluation_rule.removed', row, call, clock.now().toISOString(), stores)
    })
    return { status: 'removed' as const }
  })
}

const notFound = () => new Failure('NOT_FOUND', 'Evaluation rule not found.')

async function update(
  call: Call<typeof updateEvaluationRule>,
  ports: EvaluationRulePorts,
): Promise<EvaluationRule> {
  const { accounts, clock } = ports
  const { projectId, organizationId } = call.caller
  const { ruleId } = call.params
  const before = await accounts.evaluationRules.find(projectId, ruleId)
  if (before === undefined) throw notFound()
  const now = clock.now().toISOString()
  const change = toChange(call.body, before)
  const changed = Object.keys(change)
  if (changed.length === 0) return await toApi(before, ports)
  if (change.model_config_id !== undefined) await checkModel({ ...before, ...change }, ports)
  const isEnabled = change.is_enabled === 1
  const needsTarget = ['is_enabled', 'collection_id', 'model_config_id']
  if (isEnabled || (change.is_enabled !== 0 && needsTarget.some((key) => changed.includes(key)))) {
    await checkTarget({ ...before, ...change }, ports)
  }
  const row = await accounts.transaction(async (stores) => {
    await stores.organizations.lock(organizationId)
    const restart = { active_since: now, position: null, checked_until: null }
    const stored = await stores.evaluationRules.update(projectId, ruleId, {
      ...{ ...change, updated_at: now },
      ...(isEnabled ? restart : {}),
    })
    if (stored === undefined) throw notFound()
    await record('evaluation_rule.updated', { ...stored, changed }, call, now, stores)
    return stored
  })
  return await toApi(row, ports)
}

type UpdateBody = Call<typeof updateEvaluationRule>['body']

/** The members that differ. */
function toChange(body: UpdateBody, before: EvaluationRuleRow): EvaluationRuleChange {
  const { is_enabled, filters, ...same } = body
  const requested = {
    ...same,
    ...(is_enabled !== undefined && { is_enabled: is_enabled ? 1 : 0 }),
    ...(filters !== undefined && { filters: JSON.stringify(filters) }),
  } satisfies Record<string, unknown>
  return Object.fromEntries(
    Object.entries(requested).filter(
      ([key, value]) => value !== undefined && value !== before[key as keyof EvaluationRuleRow],
    ),
  )
}

/** Also one that no evaluator needs now. */
async function checkModel(
  { organization_id, model_config_id }: EvaluationRuleRow,
  { models }: EvaluationRulePorts,
): Promise<void> {
  if (model_config_id !== null) await getConfiguredModel(organization_id, model_config_id, models)
}

/** Throws a Failure that names the member. */
async function checkTarget(
  { organization_id, collection_id, model_config_id }: EvaluationRuleRow,
  { accounts, models }: EvaluationRulePorts,
): Promise<void> {
  const { evaluators } = await findCollection(organization_id, collection_id, accounts)
  if (model_config_id !== null && !needsModel(evaluators)) return
  await findPricedModel(organization_id, evaluators, model_config_id, models)
}

async function toApi(row: EvaluationRuleRow, ports: EvaluationRulePorts): Promise<EvaluationRule> {
  const [rule] = await toApiRules([row], row.organization_id, ports)
  return rule!
}

async function toApiRules(
  rows: readonly EvaluationRuleRow[],
  organizationId: string,
  { accounts, models, clock }: EvaluationRulePorts,
): Promise<EvaluationRule[]> {
  if (rows.length === 0) return []
  const now = clock.now().toISOString()
  const ids = rows.map((row) => row.collection_id)
  const collections = await loadCollections(organizationId, ids, accounts)
  const byId = new Map(collections.map((one) => [one.id, one]))
  return await Promise.all(
    rows.map(async (row) => {
      const { evaluators, problem } = await findRuleTarget(row, byId.get(row.collection_id), models)
      return toApiRule(row, { problem, usesModel: needsModel(evaluators) }, now)
    }),
  )
}

type Stores = Parameters<typeof recordEvent>[3]
type RuleCall = Pick<Call<typeof removeEvaluationRule>, 'caller' | 'client'>

function record(
  action: 'evaluation_rule.created' | 'evaluation_rule.removed' | 'evaluation_rule.updated',
  row: EvaluationRuleRow & { readonly changed?: readonly string[] },
  { caller, client }: RuleCall,
  at: Timestamp,
  stores: Stores,
): Promise<void> {
  const { organization_id: organizationId, id: targetId, project_id, name, changed = [] } = row
  const actor = userActor(caller.user, client)
  const details = { project_id, name }
  const event =
    action === 'evaluation_rule.updated'
      ? { action, organizationId, targetId, details: { ...details, changed } }
      : { action, organizationId, targetId, details }
  return recordEvent(event, actor, at, stores)
}
