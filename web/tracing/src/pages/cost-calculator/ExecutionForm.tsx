import { Form } from '@assay/account/form/Form.tsx'
import { useMutationForm } from '@assay/account/form/use-mutation-form.ts'
import type { CostRun } from '@assay/contract/cost-runs.ts'
import type { Args } from '@assay/contract/endpoint.ts'
import { limits } from '@assay/contract/limits.ts'
import type { ModelConfig } from '@assay/contract/model-configs.ts'
import { executeRun, streamExecution } from '@assay/contract/run-execution.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { formatCost } from '@assay/ui/number-format.ts'
import { NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { costEstimateQuery } from '../../api/cost-estimate.ts'
import { useInvalidateRuns } from '../../api/cost-runs.ts'
import { collectionsQuery } from '../../api/evaluations.ts'
import { parseNumber } from '../../form/parse-number.ts'
import page from '../../page/page.module.css'
import { useProject } from '../../shell/use-project.ts'
import styles from './cost-calculator.module.css'
import { useLiveRuns } from './live-context.ts'
import { countMissing, planScoring } from './model-results.ts'

interface Props {
  readonly run: CostRun
  readonly configs: readonly ModelConfig[]
}

const submitLabels = {
  draft: 'Run',
  running: 'Run',
  completed: 'Run what is missing',
  partial: 'Resume',
  failed: 'Run again',
} as const satisfies Record<CostRun['status'], string>

type ExecutionBody = Args<typeof executeRun>['body']

/** Chooses the models, the collection and the limit of an execution, as in the last one. */
export function ExecutionForm({ run, configs }: Props) {
  const { organization } = useProject()
  const live = useLiveRuns()
  const invalidate = useInvalidateRuns(run.project_id)
  const { data: collections = [] } = useQuery(collectionsQuery(organization.id))
  const { execution } = run
  const params = { projectId: run.project_id, runId: run.id }
  const known = (execution?.model_config_ids ?? []).filter((id) =>
    configs.some((config) => config.id === id),
  )
  const form = useMutationForm({
    endpoint: executeRun,
    initialValues: {
      model_config_ids: known.length > 0 ? known : configs.slice(0, 2).map(({ id }) => id),
      collection_id: execution?.collection_id ?? '',
      max_cost_usd: execution === null ? '1' : String(execution.max_cost_usd ?? ''),
      concurrency: String(execution?.concurrency ?? 4),
    },
    mutation: useMutation<string, Error, ExecutionBody>({
      mutationFn: (body) =>
        live.start('executing', streamExecution, { params, body }, invalidate, body.max_cost_usd),
    }),
    toBody: (values): ExecutionBody => ({
      model_config_ids: values.model_config_ids,
      ...(values.collection_id === '' ? {} : { collection_id: values.collection_id }),
      ...(values.max_cost_usd.trim() === ''
        ? {}
        : { max_cost_usd: parseNumber(values.max_cost_usd) ?? Number.NaN }),
      concurrency: parseNumber(values.concurrency) ?? Number.NaN,
    }),
  })
  const { field, values, setValue } = form
  const chosen = values.model_config_ids
  const missing = countMissing(run, chosen)
  const scoring = planScoring(run, chosen, values.collection_id)
  const runsNothing = run.results.length > 0 && chosen.length > 0 && missing.total === 0
  const isDone = runsNothing && scoring.count === 0
  return (
    <section className={`${page.box} ${styles.execution}`} aria-label="Run scenarios">
      <Form
        form={form}
        submitLabel={runsNothing && !isDone ? 'Score' : submitLabels[run.status]}
        isDisabled={isDone}
      >
        <Choices
          configs={configs}
          chosen={chosen}
          error={field('model_config_ids').error}
          onChange={(ids) => setValue('model_config_ids', [...ids])}
        />
        <div className={styles.amounts}>
          <NativeSelect
            label="Score with"
            description="Needed to compare quality"
            data={[
              { value: '', label: 'No collection' },
              ...collections
                .filter(({ evaluators }) => evaluators.length > 0)
                .map(({ id, name }) => ({ value: id, label: name })),
            ]}
            {...field('collection_id')}
          />
          <TextInput
            label="Spend at most (USD)"
            description="In this execution; no call begins after it"
            inputMode="decimal"
            autoComplete="off"
            {...field('max_cost_usd')}
          />
          <TextInput
            label="Conversations at once"
            description="1 to 16"
            inputMode="numeric"
            autoComplete="off"
            {...field('concurrency')}
          />
        </div>
        <Plan run={run} configIds={chosen} {...{ missing, scoring, runsNothing }} />
      </Form>
    </section>
  )
}

interface PlanProps {
  readonly run: CostRun
  readonly configIds: readonly string[]
  readonly missing: ReturnType<typeof countMissing>
  readonly scoring: ReturnType<typeof planScoring>
  /** All requested conversations have finished. */
  readonly runsNothing: boolean
}

/** What an execution will do, and cost. */
function Plan({ run, configIds, missing, scoring, runsNothing }: PlanProps) {
  return (
    <p className={page.note}>
      {runsNothing &&
        scoring.count === 0 &&
        'These models have results of all scenarios. Choose another model or collection, or rewrite a scenario.'}
      {!runsNothing && (
        <>
          {countOf(missing.total, 'conversation')}
          {run.results.length > 0 && ' without a result, or failed,'} with simulated users and
          tools; no tool is really called.{' '}
          <Expected run={run} configIds={configIds} missing={missing.byModel} />{' '}
        </>
      )}
      {scoring.count > 0 &&
        `${countOf(scoring.count, 'finished conversation')} will be scored without running again.`}
      {scoring.removesScores && ' The scores of the other collection are removed.'}
    </p>
  )
}

interface ChoicesProps {
  readonly configs: readonly ModelConfig[]
  readonly chosen: readonly string[]
  readonly error: unknown
  readonly onChange: (ids: readonly string[]) => void
}

const max = limits.modelsPerRun.value

function Choices({ configs, chosen, error, onChange }: ChoicesProps) {
  return (
    <fieldset className={styles.choices}>
      <legend>Models (up to {max})</legend>
      {configs.map(({ id, label }) => {
        const isChosen = chosen.includes(id)
        return (
          <label key={id}>
            <input
              type="checkbox"
              checked={isChosen}
              disabled={!isChosen && chosen.length >= max}
              onChange={() =>
                onChange(isChosen ? chosen.filter((one) => one !== id) : [...chosen, id])
              }
            />
            {label}
          </label>
        )
      })}
      {typeof error === 'string' && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}

interface ExpectedProps {
  readonly run: CostRun
  readonly configIds: readonly string[]
  readonly missing: ReadonlyMap<string, number>
}

/** The estimated cost of an execution, before it is paid. */
function Expected({ run, configIds, missing }: ExpectedProps) {
  const { data } = useQuery({
    ...costEstimateQuery(run.project_id, {
      agent_config: run.agent_config,
      model_config_ids: [...configIds],
      scenario_count: Math.max(1, run.scenarios.length),
      include_multi_turn: run.scenarios.some(({ category }) => category === 'multi_turn'),
    }),
    enabled: configIds.length > 0,
  })
  if (data === undefined) return null
  const priced = data.perModel.filter(({ costUsd }) => costUsd !== null)
  const unpricedCount = data.perModel.length - priced.length
  const usd = priced.reduce((sum, { modelConfigId, costPerScenarioUsd }) => {
    return sum + (missing.get(modelConfigId ?? '') ?? 0) * (costPerScenarioUsd ?? 0)
  }, 0)
  return (
    <>
      {priced.length > 0 && `The agent will cost about ${formatCost(usd)} in all. `}
      {unpricedCount > 0 &&
        `${countOf(unpricedCount, 'model')} without a price ${unpricedCount === 1 ? 'is' : 'are'} not included. `}
      Simulated users, simulated tools and judges are extra, and count toward the limit.
    </>
  )
}
