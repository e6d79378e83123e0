import type { DataOf } from '@assay/contract/endpoint.ts'
import { explainScoreGap } from '@assay/contract/explanations.ts'
import type { Bind } from '../../http/call.ts'
import { ModelCallError } from '../../model-gateway/model-call.ts'
import type { Models } from '../../model-gateway/models.ts'
import { describeGap } from './describe-gap.ts'
import { explainByModel } from './explain-by-model.ts'

export interface ExplanationPorts {
  readonly bind: Bind
  readonly models: Models
}

export function registerExplanations({ bind, models }: ExplanationPorts): void {
  bind(
    explainScoreGap,
    async ({ caller: { organizationId }, body, signal }): Promise<Explanation> => {
      const { evaluator_name: name, model_a: a, model_b: b } = body
      const byRules: Explanation = { explanation: describeGap(name, a, b), source: 'heuristic' }
      const platform = await models.platformModel(organizationId)
      if ('unavailable' in platform) return byRules
      try {
        const explanation = await explainByModel(models, platform.model, body, signal)
        return explanation === undefined ? byRules : { explanation, source: 'model' }
      } catch (error) {
        if (error instanceof ModelCallError) return byRules
        throw error
      }
    },
  )
}

type Explanation = DataOf<typeof explainScoreGap>
