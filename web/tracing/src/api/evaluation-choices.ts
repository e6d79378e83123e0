import { modelConfigsQuery } from '@assay/account/api/model-configs.ts'
import { type EvaluatorCollection, isJudge } from '@assay/contract/evaluators.ts'
import type { ModelConfig } from '@assay/contract/model-configs.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { z } from 'zod'
import { collectionsQuery } from './evaluations.ts'

/** The fields of a form that starts an evaluation. Empty until the person has chosen. */
export interface EvaluationChoice {
  readonly collection_id: string
  readonly model_config_id: string
}

/** What was started last in the project, in this browser. */
function readLastChoice(projectId: string): EvaluationChoice {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(toStorageKey(projectId)) ?? '')
    return storedChoice.parse(stored)
  } catch {
    return noEvaluationChoice
  }
}

export function rememberChoice(projectId: string, { collection, model }: ChosenEvaluation): void {
  const choice = {
    collection_id: collection?.id ?? '',
    model_config_id: model?.id ?? readLastChoice(projectId).model_config_id,
  }
  try {
    localStorage.setItem(toStorageKey(projectId), JSON.stringify(choice))
  } catch {
    // Storage is full or disabled; the choice still applies to this form.
  }
}

const toStorageKey = (projectId: string) => `assay-evaluation-${projectId}`
const storedChoice = z.object({ collection_id: z.string(), model_config_id: z.string() })

export const noEvaluationChoice: EvaluationChoice = { collection_id: '', model_config_id: '' }

export interface EvaluationChoices {
  /** Without empty ones. */
  readonly collections: readonly EvaluatorCollection[]
  readonly models: readonly ModelConfig[]
  /** What was started last in the project. */
  readonly last: EvaluationChoice
  readonly error: Error | null
}

/** What an evaluation can be started with. */
export function useEvaluationChoices(orgId: string, projectId: string): EvaluationChoices {
  const last = useMemo(() => readLastChoice(projectId), [projectId])
  const collections = useQuery(collectionsQuery(orgId))
  const models = useQuery(modelConfigsQuery(orgId))
  return {
    collections: (collections.data ?? []).filter(({ evaluators }) => evaluators.length > 0),
    models: models.data ?? [],
    last,
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

/** The last collection and model of the project, or the first ones, until others are chosen. */
export function resolveChoice(
  { collections, models, last }: EvaluationChoices,
  chosen: EvaluationChoice,
): ChosenEvaluation {
  const collection = find(collections, chosen.collection_id, last.collection_id)
  const needsModel = collection?.evaluators.some(isJudge) ?? false
  const model = needsModel ? find(models, chosen.model_config_id, last.model_config_id) : undefined
  const isReady = collection !== undefined && (!needsModel || model !== undefined)
  return { collection, needsModel, model, isReady }
}

function find<Item extends { readonly id: string }>(
  items: readonly Item[],
  id: string,
  lastId: string,
): Item | undefined {
  if (id !== '') return items.find((item) => item.id === id)
  return items.find((item) => item.id === lastId) ?? items[0]
}

/** The members of a request that starts an evaluation. */
export function toEvaluationBody({ collection, model }: ChosenEvaluation) {
  return { collection_id: collection?.id ?? '', model_config_id: model?.id ?? null }
}
