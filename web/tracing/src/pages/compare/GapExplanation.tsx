import { FormError } from '@assay/ui/FormError.tsx'
import { Button } from '@mantine/core'
import { IconMessageQuestion } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Explanation, explanationQuery, type ScoreGap } from '../../api/explanations.ts'
import styles from './compare.module.css'

interface Props {
  readonly projectId: string
  readonly gap: ScoreGap
}

const sources = {
  model: 'Written by a model from the reasons above. Check it against the traces.',
  heuristic: 'Written by rules: no platform model is configured, or it could not answer.',
} as const satisfies Record<Explanation['source'], string>

/** Why the scores differ, on request, because it may be a paid call of a model. */
export function GapExplanation({ projectId, gap }: Props) {
  const [isRequested, setRequested] = useState(false)
  const query = explanationQuery(projectId, gap)
  const { data, error, isFetching, refetch } = useQuery({ ...query, enabled: isRequested })
  if (data !== undefined) {
    return (
      <div className={styles.explanation} role="status">
        <p>{data.explanation}</p>
        <p className="dimmed">{sources[data.source]}</p>
      </div>
    )
  }
  return (
    <div className={styles.explanation}>
      <FormError message={isFetching ? undefined : error?.message} />
      <Button
        variant="default"
        size="xs"
        leftSection={<IconMessageQuestion size={14} />}
        loading={isFetching}
        onClick={() => (isRequested ? void refetch({ cancelRefetch: false }) : setRequested(true))}
      >
        {error === null ? 'Explain the difference' : 'Try again'}
      </Button>
    </div>
  )
}
