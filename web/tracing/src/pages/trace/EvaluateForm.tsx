import type { EvaluatorCollection } from '@assay/contract/evaluators.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { useSingleFlight } from '@assay/ui/use-single-flight.ts'
import { Button, Select } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { collectionsQuery, useEvaluate } from '../../api/evaluations.ts'
import { modelConfigsQuery } from '../../api/model-configs.ts'
import { LinkButton } from '../../parts/LinkButton.tsx'
import styles from './evaluations.module.css'

interface Props {
  readonly orgId: string
  readonly projectId: string
  readonly traceId: string
}

/** Chooses a collection, and a model if it has judges. */
export function EvaluateForm({ orgId, projectId, traceId }: Props) {
  const evaluating = useEvaluate(projectId, traceId)
  const evaluate = useSingleFlight(evaluating)
  const { collections, collection, chooseCollection, models, model, chooseModel, error } =
    useChoices(orgId)
  const needsModel = collection !== undefined && hasJudge(collection)
  const isReady = collection !== undefined && (!needsModel || model !== undefined)
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isReady) return
        evaluate({ collectionId: collection.id, modelConfigId: needsModel ? model!.id : null })
      }}
    >
      <Select
        label="Collection"
        data={collections.map(({ id, name }) => ({ value: id, label: name }))}
        value={collection?.id ?? null}
        onChange={chooseCollection}
        allowDeselect={false}
        searchable
        className={styles.choice}
      />
      {needsModel && models.length > 0 && (
        <Select
          label="Model of the judges"
          data={models.map(({ id, label }) => ({ value: id, label }))}
          value={model?.id ?? null}
          onChange={chooseModel}
          allowDeselect={false}
          className={styles.choice}
        />
      )}
      <Button
        type="submit"
        disabled={!isReady}
        loading={evaluating.isPending}
        leftSection={<IconPlayerPlay size={14} />}
      >
        Evaluate
      </Button>
      <p className={styles.about}>
        {collection !== undefined && aboutOf(collection)}{' '}
        {needsModel && models.length === 0 && (
          <LinkButton
            to="/o/$orgId/settings/models"
            params={{ orgId }}
            variant="subtle"
            size="compact-xs"
          >
            Add a model first
          </LinkButton>
        )}
      </p>
      <FormError message={evaluating.error?.message ?? error?.message} />
    </form>
  )
}

/** The first collection and model until others are chosen. Empty collections are left out. */
function useChoices(orgId: string) {
  const collectionsRead = useQuery(collectionsQuery(orgId))
  const modelsRead = useQuery(modelConfigsQuery(orgId))
  const [collectionId, chooseCollection] = useState<string | null>(null)
  const [modelId, chooseModel] = useState<string | null>(null)
  const { data: models = [] } = modelsRead
  const { data: all = [] } = collectionsRead
  const collections = all.filter(({ evaluators }) => evaluators.length > 0)
  return {
    ...{ collections, chooseCollection, models, chooseModel },
    collection: collections.find(({ id }) => id === collectionId) ?? collections[0],
    model: models.find(({ id }) => id === modelId) ?? models[0],
    error: collectionsRead.error ?? modelsRead.error,
  }
}

function hasJudge({ evaluators }: EvaluatorCollection): boolean {
  return evaluators.some((one) => one.eval_type === 'model_judge')
}

function aboutOf(collection: EvaluatorCollection): string {
  const { evaluators, description } = collection
  const judges = evaluators.filter((one) => one.eval_type === 'model_judge').length
  const total = countOf(evaluators.length, 'evaluator')
  const calling = judges === 0 ? 'without model calls' : `${judges} with model calls`
  return `${description} ${total}, ${calling}.`.trim()
}
