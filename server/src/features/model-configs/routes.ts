import { limits } from '@assay/contract/limits.ts'
import {
  createModelConfig,
  listModelConfigs,
  type ModelConfigInput,
  removeModelConfig,
  testModelConfig,
  updateModelConfig,
  wholeModelConfig,
} from '@assay/contract/model-configs.ts'
import { recordEvent, userActor } from '../../accounts/audit.ts'
import { checkListLimit } from '../../accounts/list-limit.ts'
import type { Bind } from '../../http/call.ts'
import { check } from '../../http/check.ts'
import type { ModelOutbound } from '../../model-gateway/model-outbound.ts'
import { type Models, modelKeyPlace } from '../../model-gateway/models.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import { newId } from '../../platform/ids.ts'
import { type Outbound, OutboundRefused } from '../../platform/outbound-fetch.ts'
import type { SecretBox } from '../../platform/secret-box.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { ModelConfigRow } from '../../storage/accounts/model-tables.ts'
import { changedFields, toApiModelConfig, toBody, toContents } from './model-config.ts'
import { testModel } from './test-model.ts'

export interface ModelConfigsPorts {
  readonly bind: Bind
  readonly accounts: Accounts
  readonly clock: Clock
  readonly box: SecretBox
  /** By the rules for requests to models. */
  readonly outbound: ModelOutbound
  readonly models: Models
}

export function registerModelConfigs(ports: ModelConfigsPorts): void {
  registerConfigs(ports)
  registerTest(ports)
}

function registerConfigs({ bind, accounts, clock, outbound, box }: ModelConfigsPorts): void {
  bind(listModelConfigs, async ({ caller: { organizationId } }) => {
    const rows = await accounts.modelConfigs.list(organizationId)
    return rows.map(toApiModelConfig)
  })

  bind(createModelConfig, async ({ caller, client, body }) => {
    await refuseForbidden(body.base_url, outbound(caller.organizationId))
    const { organizationId, user } = caller
    const at = clock.now().toISOString()
    const place = { id: newId(), organization_id: organizationId }
    const row: ModelConfigRow = {
      ...place,
      ...toContents(body),
      api_key: body.api_key ? box.seal(body.api_key, modelKeyPlace(place)) : null,
      ...{ created_by: user.id, created_at: at, updated_at: at },
    }
    await accounts.transaction(async (stores) => {
      await stores.organizations.lock(organizationId)
      const count = await stores.modelConfigs.count(organizationId)
      checkListLimit(count, limits.modelConfigs, 'An organization', 'Delete one first.')
      await stores.modelConfigs.insert(row)
      const { label, provider, model, base_url } = row
      const details = { label, provider, model, base_url }
      const event = { action: 'model_config.created', organizationId, targetId: row.id } as const
      await recordEvent({ ...event, details }, userActor(user, client), at, stores)
    })
    return toApiModelConfig(row)
  })

  bind(updateModelConfig, async ({ caller, client, params, body }) => {
    const { api_key: sentKey, ...change } = body
    await refuseForbidden(change.base_url, outbound(caller.organizationId))
    const { organizationId, user } = caller
    const at = clock.now().toISOString()
    return accounts.transaction(async (stores) => {
      const before = await stores.modelConfigs.lock(organizationId, params.configId)
      if (before === undefined) throw notFound()
      const given = Object.entries(change).filter(([, value]) => value !== undefined)
      const whole = { ...toBody(before), ...Object.fromEntries(given) }
      const contents = toContents(
        check(updateModelConfig, wholeModelConfig, whole) as ModelConfigInput,
      )
      const api_key = nextKey(sentKey, before, { ...before, ...contents }, box)
      const after = { ...before, ...contents, api_key, updated_at: at }
      await stores.modelConfigs.update(after)
      const { label, provider, model, base_url } = after
      const details = { label, provider, model, base_url, changed: changedFields(before, after) }
      const event = { action: 'model_config.updated', organizationId, targetId: after.id } as const
      await recordEvent({ ...event, details }, userActor(user, client), at, stores)
      return toApiModelConfig(after)
    })
  })

  bind(removeModelConfig, async ({ caller, client, params }) => {
    const { organizationId, user } = caller
    const at = clock.now().toISOString()
    await accounts.transaction(async (stores) => {
      const row = await stores.modelConfigs.remove(organizationId, params.configId)
      if (row === undefined) throw notFound()
      const { label, provider, model } = row
      const details = { label, provider, model }
      const event = { action: 'model_config.removed', organizationId, targetId: row.id } as const
      await recordEvent({ ...event, details }, userActor(user, client), at, stores)
    })
    return { status: 'removed' as const }
  })
}

function registerTest({ bind, accounts, clock, models }: ModelConfigsPorts): void {
  bind(testModelConfig, async ({ caller, client, params, signal }) => {
    const { organizationId, user } = caller
    const row = await accounts.modelConfigs.find(organizationId, params.configId)
    const model = await models.findConfigured(organizationId, params.configId)
    if (row === undefined || model === undefined) throw notFound()
    const result = await testModel(model, models, signal)
    const details = { label: row.label, outcome: result.error?.kind ?? 'ok' }
    const event = { action: 'model_config.tested', organizationId, targetId: row.id } as const
    const at = clock.now().toISOString()
    await accounts.transaction((stores) =>
      recordEvent({ ...event, details }, userActor(user, client), at, stores),
    )
    return result
  })
}

const notFound = () => new Failure('NOT_FOUND', 'Model configuration not found.')

/** Throws for an address that calls would be refused for. */
async function refuseForbidden(
  baseUrl: string | null | undefined,
  outbound: Outbound,
): Promise<void> {
  if (!baseUrl) return
  try {
    await outbound.judge(baseUrl)
  } catch (error) {
    if (!(error instanceof OutboundRefused)) throw error
    const message = `base_url cannot be used: ${error.message}`
    const details = { target: error.target }
    throw new Failure('VALIDATION_ERROR', message, { status: 422, details })
  }
}

// A stored key is only sent where it was entered for: changing the address must not send it elsewhere.
function nextKey(
  sent: string | null | undefined,
  before: ModelConfigRow,
  after: ModelConfigRow,
  box: SecretBox,
): string | null {
  if (sent !== undefined) return sent === null ? null : box.seal(sent, modelKeyPlace(before))
  const isSameAddress = after.provider === before.provider && after.base_url === before.base_url
  return isSameAddress ? before.api_key : null
}
