import { Form } from '@assay/account/form/Form.tsx'
import { useMutationForm } from '@assay/account/form/use-mutation-form.ts'
import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { evaluateTraces } from '@assay/contract/bulk-evaluations.ts'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { useNow } from '@assay/ui/use-now.ts'
import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  rememberChoice,
  resolveChoice,
  useEvaluationChoices,
} from '../../api/evaluation-choices.ts'
import { useEvaluateTraces } from '../../api/evaluations.ts'
import { isActive, jobsQuery } from '../../api/jobs.ts'
import { formatEstimate } from '../../evaluation/run-estimate.ts'
import { FormDialog } from '../../page/FormDialog.tsx'
import page from '../../page/page.module.css'
import { AboutCollection } from '../../parts/AboutCollection.tsx'
import { EvaluationFields } from '../../parts/EvaluationFields.tsx'
import { FilterLabels } from '../../parts/FilterLabels.tsx'
import { listFilterLabels } from '../../parts/filter-labels.ts'
import { pickFilters, type TraceSearch } from '../../parts/trace-search.ts'
import {
  initialBulkEvaluation,
  parseLimit,
  toBulkEvaluationBody,
} from './bulk-evaluation-values.ts'
import { formatMatches, hasNone, type MatchCount } from './count-matches.ts'

interface Props {
  readonly orgId: string
  readonly projectId: string
  readonly search: TraceSearch
  readonly matches: MatchCount | null
  readonly dialog: DialogState<null>
}

/** Starts an evaluation of the traces that match the filters of the list, and opens its progress. */
export function EvaluateTracesDialog({ dialog, ...props }: Props) {
  return (
    <FormDialog dialog={dialog} title="Evaluate traces" closeOnClickOutside={false}>
      {(_, close) => <EvaluateTracesForm {...props} onClose={close} />}
    </FormDialog>
  )
}

interface FormProps extends Omit<Props, 'dialog'> {
  readonly onClose: () => void
}

function EvaluateTracesForm({ orgId, projectId, search, matches, onClose }: FormProps) {
  const navigate = useNavigate()
  const nowMs = useNow(60_000)
  const choices = useEvaluationChoices(orgId, projectId)
  const { data: jobs } = useQuery(jobsQuery(projectId, 'evaluation'))
  const isBusy = jobs?.some(isActive) === true
  const form = useMutationForm({
    endpoint: evaluateTraces,
    initialValues: initialBulkEvaluation,
    mutation: useEvaluateTraces(projectId),
    toBody: (values) =>
      toBulkEvaluationBody(values, resolveChoice(choices, values), search, Date.now()),
    onDone(_, values) {
      rememberChoice(projectId, resolveChoice(choices, values))
      void navigate({ to: '/p/$projectId/evaluators/runs', params: { projectId } })
    },
  })
  const chosen = resolveChoice(choices, form.values)
  const labels = listFilterLabels(pickFilters(search), nowMs)
  const scope = labels.length === 0 ? 'in the project' : 'match'
  const maxTraces = parseLimit(form.values.max_traces)
  const hasJudgeCalls = (search.mode ?? 'live') !== 'live'
  const matching = formatMatches(matches && { ...matches, hasJudgeCalls }, scope, maxTraces)
  const estimate =
    matches !== null && matches.count > 0 && maxTraces >= 1
      ? formatEstimate(jobs ?? [], {
          ...{ collectionId: chosen.collection?.id, modelConfigId: chosen.model?.id },
          traces: Math.min(matches.count, maxTraces),
          maxCostUsd: parseLimit(form.values.max_cost_usd),
        })
      : null
  const input = { autoComplete: 'off', required: true } as const
  return (
    <Form
      form={{ ...form, error: form.error ?? choices.error?.message }}
      submitLabel="Start evaluation"
      onCancel={onClose}
      isDisabled={isBusy || !chosen.isReady || hasNone(matches)}
    >
      <p className={page.note}>
        {labels.length === 0
          ? 'Evaluates all traces of the project, newest first. '
          : 'Evaluates the traces that match all of these filters, newest first. '}
        Traces that arrive later and recorded calls of judges are left out.
      </p>
      <FilterLabels labels={labels} />
      {matching !== '' && <p className={page.note}>{matching}</p>}
      <EvaluationFields choices={choices} form={form} />
      <p className={page.note}>
        <AboutCollection orgId={orgId} choices={choices} chosen={chosen} />
      </p>
      <TextInput
        label="Traces at most"
        inputMode="numeric"
        {...input}
        {...form.field('max_traces')}
      />
      {chosen.needsModel && (
        <TextInput
          label="Cost limit in USD"
          description="No further calls are made once this much is spent. The remaining traces are not evaluated."
          inputMode="decimal"
          {...input}
          {...form.field('max_cost_usd')}
        />
      )}
      {estimate !== null && <p className={page.note}>{estimate}</p>}
      {isBusy && (
        <p className={page.note} role="status">
          Another evaluation is running. A project has one at a time.{' '}
          <LinkButton
            to="/p/$projectId/evaluators/runs"
            params={{ projectId }}
            variant="subtle"
            size="compact-xs"
          >
            Show its progress
          </LinkButton>
        </p>
      )}
    </Form>
  )
}
