import { parseArgs } from 'node:util'
import { openModelGateway } from '../../server/src/model-gateway/gateway.ts'
import type { GatewayModel } from '../../server/src/model-gateway/gateway-model.ts'
import { openModelOutbound } from '../../server/src/model-gateway/model-outbound.ts'
import { readConfig } from '../../server/src/platform/config.ts'
import {
  allowedDestinations,
  nothingAllowed,
  plainHost,
} from '../../server/src/platform/network-rules.ts'
import { formatAgreement } from './agreement.ts'
import { type JudgedSet, judgeSets } from './judge-sets.ts'
import { readCases } from './labeled-set.ts'
import { measureJudge, sampleCases } from './measure-judge.ts'

/*
 * `npm run bench:judges`: how well judges find the faults of labeled traces, with the model of ASSAY_PLATFORM_MODEL,
 * ASSAY_PLATFORM_MODEL_API_KEY and ASSAY_PLATFORM_MODEL_BASE_URL. Calls cost what the provider charges.
 *
 *   --cases N       of each set, 40 by default
 *   --data FOLDER   also uses public data, as in `npm run bench:evaluators`
 *   --only KEY      measures one judge
 */

const { values: options } = parseArgs({
  options: {
    ...{ data: { type: 'string' }, only: { type: 'string' } },
    cases: { type: 'string', default: '40' },
  },
})

function readModel(): GatewayModel {
  const reading = readConfig()
  if ('problems' in reading) throw new Error(reading.problems.join('\n'))
  const { platformModel } = reading.config
  if (platformModel === undefined) throw new Error('Set ASSAY_PLATFORM_MODEL to provider:model.')
  const { provider, model, apiKey, baseUrl } = platformModel
  const hosts = baseUrl === null ? [] : [plainHost(new URL(baseUrl).hostname)]
  const outbound = openModelOutbound(allowedDestinations(hosts) ?? nothingAllowed)('bench')
  return { organizationId: 'bench', provider, model, baseUrl, apiKey, rates: null, outbound }
}

async function measure(set: JudgedSet, model: GatewayModel): Promise<void> {
  const { key } = set.evaluator
  const cases = readCases(set, options.data)
  if (cases === undefined) {
    console.log(`${key}: not measured without --data (${set.source!.repository})`)
    return
  }
  const sample = sampleCases(cases, Number(options.cases))
  const { agreement, failures, calls } = await measureJudge(set.evaluator, sample, model, gateway)
  const date = new Date().toISOString().slice(0, 10)
  const data = set.source?.name ?? 'own cases'
  console.log(
    `${key}: ${formatAgreement(agreement)}, n = ${agreement.cases}, ${agreement.faulty} with a fault, ${data}, ${model.provider}:${model.model}, ${calls} calls, ${date}`,
  )
  if (failures.length > 0) {
    console.log(`  ${failures.length} cases have no verdict, for example: ${failures[0]}`)
  }
}

const model = readModel()
const gateway = openModelGateway()
for (const set of judgeSets) {
  if ((options.only ?? set.evaluator.key) === set.evaluator.key) await measure(set, model)
}
