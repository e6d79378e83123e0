import { call } from '@assay/contract/client.ts'
import { limits } from '@assay/contract/limits.ts'
import { createModelConfig } from '@assay/contract/model-configs.ts'
import { draftScenarios, extractSource, synthesizeBlueprint } from '@assay/contract/synthetic.ts'
import type { Attack } from './attack.ts'

/*
 * Attacks of members with documents and blueprints.
 */

const name = 'page.html'

export const syntheticAttacks: readonly Attack[] = [
  {
    name: 'documents',
    by: 'editor',
    endpoints: [extractSource],
    connections: 16,
    responds: [200],
    requests: ({ scale }) => {
      const size = limits.sourceBytes.value * scale
      const page = Buffer.alloc(Math.floor(size), '<p>Items can be returned <b>within</b> 30 days.')
      const body = { file: { name, content_base64: page.toString('base64') } }
      return () => ({ body })
    },
  },
  {
    name: 'blueprints',
    by: 'editor',
    endpoints: [synthesizeBlueprint, draftScenarios],
    connections: 8,
    responds: [502, 502],
    requests: async ({ api, organizationId: orgId, credentials }) => {
      const body = {
        ...({ label: 'm', provider: 'openai-compatible', model: 'm' } as const),
        base_url: 'https://models.attackers.invalid/v1',
      }
      const args = { params: { orgId }, body }
      const { id } = await call(api, createModelConfig, args, { headers: credentials.editor })
      const sentence = 'Items can be returned within 30 days. '
      const text = sentence.repeat(limits.sourceTextLength.value / sentence.length)
      const row = { order_id: 'O-1', note: 'n'.repeat(limits.blueprintTextLength.value) }
      const entity = (n: number) => ({
        name: `orders ${n}`,
        fields: [{ name: 'order_id', type: 'string' }],
        rows: Array.from({ length: limits.blueprintRows.value }, () => row),
      })
      const entities = Array.from({ length: limits.blueprintEntities.value }, (_, n) => entity(n))
      const blueprint = { agent: { system_prompt: 'Returns' }, system_of_record: { entities } }
      return (_n, endpoint) => ({
        body:
          endpoint === draftScenarios
            ? { blueprint, count: limits.draftedScenarios.value, model_config_id: id }
            : { source: { text }, model_config_id: id },
      })
    },
  },
]
