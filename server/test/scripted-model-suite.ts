import { createModelConfig } from '@assay/contract/model-configs.ts'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { GatewayModel } from '../src/model-gateway/gateway-model.ts'
import { openModelOutbound } from '../src/model-gateway/model-outbound.ts'
import { toRates } from '../src/models/token-rates.ts'
import { allowedDestinations, nothingAllowed } from '../src/platform/network-rules.ts'
import { lateBound } from './late-bound.ts'
import { type ReceivedCall, type ScriptedModel, startScriptedModel } from './scripted-model.ts'
import type { Credentials, Service } from './started-app.ts'

/*
 * What suites with a scripted model share. `runningModel` and `requestsPerTest` register hooks of the surrounding file or
 * `describe`.
 */

/** Runs from the first test to the last. */
export function runningModel(): ScriptedModel {
  let model: ScriptedModel | undefined
  beforeAll(async () => {
    model = await startScriptedModel()
  })
  afterAll(() => model?.close())
  return lateBound(() => model)
}

export interface RequestsOfTest {
  /** Since the test started. */
  sent(): readonly ReceivedCall[]
  /** Resolves when so many have arrived since the test started. */
  received(count: number): Promise<void>
}

export function requestsPerTest(model: ScriptedModel): RequestsOfTest {
  let earlier = 0
  beforeEach(() => {
    earlier = model.requests.length
  })
  return {
    sent: () => model.requests.slice(earlier),
    received: (count) => model.received(earlier + count),
  }
}

/** Creates a configuration of the model, and returns its id. A call with the usual usage costs USD 0.0011. */
export async function addModelConfig(
  service: Service,
  { url }: ScriptedModel,
  { orgId, as }: { readonly orgId: string; readonly as: Credentials },
  changes: object = {},
): Promise<string> {
  const body = {
    ...{ label: 'Model', provider: 'openai-compatible', model: 'model-1', base_url: url },
    ...{ api_key: 'sk-key', input_usd_per_mtok: 10, output_usd_per_mtok: 10, ...changes },
  }
  const { data } = await service.call(createModelConfig, { params: { orgId }, body }, as)
  return data.id
}

export const openLoopbackOutbound = () =>
  openModelOutbound(allowedDestinations(['127.0.0.1']) ?? nothingAllowed)

/** The model as the gateway calls it, for the organization "acme". */
export function toGatewayModel(
  { url }: ScriptedModel,
  changes: Partial<GatewayModel> = {},
): GatewayModel {
  return {
    ...{ organizationId: 'acme', provider: 'openai-compatible', model: 'agent-1' },
    ...{ baseUrl: url, apiKey: 'sk-test', outbound: openLoopbackOutbound()('acme') },
    rates: { base: toRates({ input: 2, cacheRead: 1, output: 10 }), long: [] },
    ...changes,
  }
}
