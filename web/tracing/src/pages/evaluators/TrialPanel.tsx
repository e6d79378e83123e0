import { modelConfigsQuery } from '@assay/account/api/model-configs.ts'
import { bodyErrors } from '@assay/account/form/schema-errors.ts'
import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { RequestProblem } from '@assay/account/shell/RequestProblem.tsx'
import { tryEvaluator } from '@assay/contract/evaluations.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { Button, Loader, Select } from '@mantine/core'
import { useSessionStorage } from '@mantine/hooks'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type Trial, type TrialBody, trialQuery } from '../../api/evaluations.ts'
import { recentTracesQuery } from '../../api/found-traces.ts'
import { ignoreEnter } from '../../form/ignore-enter.ts'
import { TraceExcerpt } from '../../parts/TraceExcerpt.tsx'
import { formatTrialError } from './next-step.ts'
import { TracePicker } from './TracePicker.tsx'
import { TrialResult } from './TrialResult.tsx'
import styles from './trial.module.css'

interface Props {
  readonly orgId: string
  readonly projectId: string
  /** The evaluator as it is now, saved or not. */
  readonly evaluator: Pick<TrialBody, 'evaluator' | 'prompt_template' | 'threshold'>
  readonly needsModel: boolean
}

/** Runs an evaluator on a trace of the project without storing the result. */
export function TrialPanel({ orgId, projectId, evaluator, needsModel }: Props) {
  const choice = useTrialChoice(orgId, projectId, needsModel)
  const { traceId, models, model } = choice
  const [trial, setTrial] = useState<Trial>()
  const [invalid, setInvalid] = useState<InvalidTrial>()
  const { data, error, isFetching } = useQuery(trialQuery(projectId, trial))
  const isReady = traceId !== null && (!needsModel || model !== undefined)

  function start(): void {
    if (!isReady) return
    const body = { ...evaluator, ...(needsModel ? { model_config_id: model!.id } : {}) }
    const problem = findProblem(body)
    setInvalid(problem === undefined ? undefined : { body, problem })
    const number = (trial?.number ?? 0) + 1
    setTrial(problem === undefined ? { traceId, body, number } : undefined)
  }
  if (choice.error !== null) return <RequestProblem error={choice.error} onRetry={choice.retry} />
  return (
    <div className={styles.panel}>
      <h3 className={styles.title}>Try it</h3>
      <p className={styles.about}>
        On a trace of this project. The result is not stored
        {needsModel && '; the calls of the judge cost as much as in an evaluation'}.
      </p>
      {choice.hasNoTraces ? (
        <Missing text="This project has no traces yet.">
          <LinkButton to="/p/$projectId/send" params={{ projectId }} {...inNewTab}>
            Send traces
          </LinkButton>
        </Missing>
      ) : needsModel && models?.length === 0 ? (
        <Missing text="A judge needs a model, and none is connected.">
          <LinkButton to="/o/$orgId/settings/models" params={{ orgId }} {...inNewTab}>
            Add a model
          </LinkButton>
        </Missing>
      ) : (
        <div className={styles.choices}>
          <TracePicker projectId={projectId} traceId={traceId} onChange={choice.chooseTrace} />
          {needsModel && (
            <Select
              label="Model of the judge"
              data={(models ?? []).map(({ id, label }) => ({ value: id, label }))}
              value={model?.id ?? null}
              onChange={choice.chooseModel}
              onKeyDown={ignoreEnter}
              allowDeselect={false}
              className={styles.choice}
            />
          )}
          <Button
            variant="default"
            leftSection={<IconPlayerPlay size={14} />}
            disabled={!isReady}
            loading={isFetching}
            onClick={start}
          >
            Try
          </Button>
        </div>
      )}
      {/* Below the fields, which stay in line whatever its length. */}
      {traceId !== null && <TraceExcerpt key={traceId} projectId={projectId} traceId={traceId} />}
      {isFetching && (
        <p className={styles.running} role="status">
          <Loader size="xs" /> {needsModel ? 'The judge is reading the trace…' : 'Evaluating…'}
          <Button variant="default" size="compact-xs" onClick={() => setTrial(undefined)}>
            Cancel
          </Button>
        </p>
      )}
      <FormError
        message={
          currentProblem(invalid, evaluator) ??
          (error === null ? undefined : formatTrialError(error))
        }
      />
      {data !== undefined && trial !== undefined && (
        <TrialResult
          trial={data}
          projectId={projectId}
          traceId={trial.traceId}
          isTemplate={evaluator.prompt_template !== undefined}
          isOutdated={!isSame(trial.body, evaluator)}
        />
      )}
    </div>
  )
}

const inNewTab = { target: '_blank', variant: 'default', size: 'compact-xs' } as const

interface MissingProps {
  readonly text: string
  readonly children: ReactNode
}

/** What a trial needs. Links open another tab, because the evaluator may not be saved. */
function Missing({ text, children }: MissingProps) {
  return (
    <p className={styles.running}>
      {text} {children}
    </p>
  )
}

/** The trace and the model of the last trial of this session; by default the first ones. */
function useTrialChoice(orgId: string, projectId: string, needsModel: boolean) {
  const recent = useQuery(recentTracesQuery(projectId))
  const models = useQuery({ ...modelConfigsQuery(orgId), enabled: needsModel })
  const [traceId, chooseTrace] = useStored(`assay-trial-trace ${projectId}`)
  const [modelId, chooseModel] = useStored(`assay-trial-model ${orgId}`)
  const { data } = models
  return {
    traceId: traceId ?? recent.data?.[0]?.trace_id ?? null,
    chooseTrace,
    models: data,
    model: data?.find(({ id }) => id === modelId) ?? data?.[0],
    chooseModel,
    hasNoTraces: traceId === null && recent.data?.length === 0,
    error: recent.error ?? models.error,
    retry: () => void Promise.all([recent.refetch(), ...(needsModel ? [models.refetch()] : [])]),
  }
}

function useStored(key: string) {
  return useSessionStorage<string | null>({
    key,
    defaultValue: null,
    getInitialValueInEffect: false,
  })
}

const fieldLabels: Readonly<Record<string, string>> = {
  prompt_template: 'Prompt',
  threshold: 'Threshold',
}

/** The first problem of the evaluator, under the label of its field. */
function findProblem(body: TrialBody): string | undefined {
  const [first] = Object.entries(bodyErrors(tryEvaluator, body))
  return first && `${fieldLabels[first[0]] ?? first[0]}: ${first[1]}`
}

interface InvalidTrial {
  readonly body: TrialBody
  readonly problem: string
}

/** The problem until the evaluator changes. */
function currentProblem(
  invalid: InvalidTrial | undefined,
  now: Props['evaluator'],
): string | undefined {
  return invalid !== undefined && isSame(invalid.body, now) ? invalid.problem : undefined
}

function isSame(tried: TrialBody, now: Props['evaluator']): boolean {
  const { prompt_template: template, threshold } = tried
  return template === now.prompt_template && threshold === now.threshold
}
