import type { CostRun } from '@assay/contract/cost-runs.ts'
import { streamResumption } from '@assay/contract/generation-resumption.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { formatCount } from '@assay/ui/number-format.ts'
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useInvalidateRuns } from '../../api/cost-runs.ts'
import styles from './cost-calculator.module.css'
import { useLiveRuns } from './live-context.ts'

interface Props {
  readonly run: CostRun
  readonly canResume: boolean
}

/** How many scenarios of a run were written before its generation stopped, and writes the others. */
export function IncompleteScenarios({ run, canResume }: Props) {
  const live = useLiveRuns()
  const invalidate = useInvalidateRuns(run.project_id)
  const params = { projectId: run.project_id, runId: run.id }
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => live.start('generating', streamResumption, { params }, invalidate),
  })
  return (
    <>
      <FormError message={error?.message} />
      <div className={`${styles.notice} ${styles.incomplete}`}>
        <span role="status">
          {formatCount(run.scenarios.length)} of {formatCount(run.scenario_count)} scenarios were
          written before the generation stopped.
        </span>
        {canResume && (
          <Button variant="default" size="xs" loading={isPending} onClick={() => mutate()}>
            Resume
          </Button>
        )}
      </div>
    </>
  )
}
