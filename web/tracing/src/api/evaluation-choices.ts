import { type EvaluatorCollection, isJudge } from '@assay/contract/evaluators.ts'
import type { ModelConfig } from '@assay/contract/model-configs.ts'
import { useQuery } from '@tanstack/react-query'
import { collectionsQuery } from './evaluations.ts'
import { modelConfigsQuery } from './model-configs.ts'

/** The fields of a form that starts an evaluation. Empty until the person has chosen. */
export interface EvaluationChoice {
  readonly collection_id: string
  readonly model_config_id: string
}

export const noEvaluationChoice: EvaluationChoice = { collection_id: '', model_config_id: '' }

export interface EvaluationChoices {
  /** Without empty ones. */
  readonly collections: readonly EvaluatorCollection[]
  readonly models: readonly ModelConfig[]
  readonly error: Error | null
}

/** What an evaluation can be started with. */
export function useEvaluationChoices(orgId: string): EvaluationChoices {
  const collections = useQuery(collectionsQuery(orgId))
  const models = useQuery(modelConfigsQuery(orgId))
  return {
    collections: (collections.data ?? []).filter(({ evaluators }) => evaluators.length > 0),
    models: models.data ?? [],
    error: collections.error ?? models.error,
  }
}

export interface ChosenEvaluation {
  readonly collection: EvaluatorCollection | undefined
  /** Whether the collection has a judge. */
  readonly needsModel: boolean
  readonly model: ModelConfig | undefined
  readonly isReady: boolean
}

/** The first collection and model until others are chosen. */
export function resolveChoice(
  { collections, models }: EvaluationChoices,
  chosen: EvaluationChoice,
): ChosenEvaluation {
  const collection = find(collections, chosen.collection_id)
  const needsModel = collection?.evaluators.some(isJudge) ?? false
  const model = needsModel ? find(models, chosen.model_config_id) : undefined
  const isReady = collection !== undefined && (!needsModel || model !== undefined)
  return { collection, needsModel, model, isReady }
}

function find<Item extends { readonly id: string }>(
  items: readonly Item[],
  id: string,
): Item | undefined {
  return id === '' ? items[0] : items.find((item) => item.id === id)
}

/** The members of a request that starts an evaluation. */
export function toEvaluationBody({ collection, model }: ChosenEvaluation) {
  return { collection_id: collection?.id ?? '', model_config_id: model?.id ?? null }
}
