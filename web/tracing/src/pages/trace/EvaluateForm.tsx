import type { EvaluatorCollection } from '@assay/contract/evaluators.ts'
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
  const collections = useQuery(collectionsQuery(orgId))
  const models = useQuery(modelConfigsQuery(orgId))
  const evaluating = useEvaluate(projectId, traceId)
  const evaluate = useSingleFlight(evaluating)
  const [chosenId, choose] = useState<string | null>(null)
  const [chosenModelId, chooseModel] = useState<string | null>(null)
  const filled = (collections.data ?? []).filter(({ evaluators }) => evaluators.length > 0)
  const collection = filled.find(({ id }) => id === chosenId) ?? filled[0]
  const model = models.data?.find(({ id }) => id === chosenModelId) ?? models.data?.[0]
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
        data={filled.map(({ id, name }) => ({ value: id, label: name }))}
        value={collection?.id ?? null}
        onChange={choose}
        allowDeselect={false}
        searchable
        className={styles.choice}
      />
      {needsModel && models.data?.length !== 0 && (
        <Select
          label="Model of the judges"
          data={(models.data ?? []).map(({ id, label }) => ({ value: id, label }))}
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
        {needsModel && models.data?.length === 0 && (
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
      <FormError message={evaluating.error?.message ?? collections.error?.message} />
    </form>
  )
}

function hasJudge({ evaluators }: EvaluatorCollection): boolean {
  return evaluators.some((one) => one.eval_type === 'model_judge')
}

function aboutOf(collection: EvaluatorCollection): string {
  const { evaluators, description } = collection
  const judges = evaluators.filter((one) => one.eval_type === 'model_judge').length
  const counts =
    judges === 0
      ? `${evaluators.length} evaluators, none of which needs a model.`
      : `${evaluators.length} evaluators, of which ${judges} ask a model.`
  return `${description} ${counts}`.trim()
}
