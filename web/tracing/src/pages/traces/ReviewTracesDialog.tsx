import { Form } from '@assay/account/form/Form.tsx'
import { useMutationForm } from '@assay/account/form/use-mutation-form.ts'
import { limits } from '@assay/contract/limits.ts'
import { createReviewQueue } from '@assay/contract/review-queues.ts'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { useNow } from '@assay/ui/use-now.ts'
import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { evaluatorsQuery } from '../../api/evaluators.ts'
import { type ReviewQueueBody, useCreateReviewQueue } from '../../api/review-queues.ts'
import { FormDialog } from '../../page/FormDialog.tsx'
import page from '../../page/page.module.css'
import { FilterLabels } from '../../parts/FilterLabels.tsx'
import { listFilterLabels } from '../../parts/filter-labels.ts'
import { pickFilters, type TraceSearch, toTraceFilters } from '../../parts/trace-search.ts'
import { parseLimit } from './bulk-evaluation-values.ts'

interface Props {
  readonly orgId: string
  readonly projectId: string
  readonly search: TraceSearch
  readonly dialog: DialogState<null>
}

/** Creates a review queue from the traces that match the filters of the list, and opens it. */
export function ReviewTracesDialog({ dialog, ...props }: Props) {
  return (
    <FormDialog dialog={dialog} title="Review traces" closeOnClickOutside={false}>
      {(_, close) => <ReviewTracesForm {...props} onClose={close} />}
    </FormDialog>
  )
}

interface FormProps extends Omit<Props, 'dialog'> {
  readonly onClose: () => void
}

const initialValues = {
  name: '',
  /** Empty: a score under a name. */
  evaluator_id: '',
  score_name: '',
  instructions: '',
  max_traces: String(limits.reviewQueueTraces.value),
}

function ReviewTracesForm({ orgId, projectId, search, onClose }: FormProps) {
  const navigate = useNavigate()
  const nowMs = useNow(60_000)
  const { data: evaluators = [] } = useQuery(evaluatorsQuery(orgId))
  const form = useMutationForm({
    endpoint: createReviewQueue,
    initialValues,
    mutation: useCreateReviewQueue(projectId),
    toBody: ({ evaluator_id, score_name, max_traces, ...same }): ReviewQueueBody => ({
      ...same,
      ...(evaluator_id === '' ? { score_name } : { evaluator_id }),
      filters: toTraceFilters(search, Date.now()),
      max_traces: parseLimit(max_traces),
    }),
    onDone({ id: queueId }) {
      void navigate({ to: '/p/$projectId/scores/review/$queueId', params: { projectId, queueId } })
    },
  })
  const { field, values } = form
  const labels = listFilterLabels(pickFilters(search), nowMs)
  const input = { autoComplete: 'off', required: true } as const
  return (
    <Form form={form} submitLabel="Create queue" onCancel={onClose}>
      <p className={page.note}>
        {labels.length === 0
          ? 'Adds the newest traces of the project to a queue. '
          : 'Adds the newest traces that match all of these filters to a queue. '}
        People score them one after another. Traces that arrive later are left out.
      </p>
      <FilterLabels labels={labels} />
      <TextInput label="Name" data-autofocus {...input} {...field('name')} />
      <NativeSelect
        label="Score"
        data={[
          { value: '', label: 'A score of your own' },
          ...evaluators.map(({ id, name }) => ({ value: id, label: `Compare with ${name}` })),
        ]}
        {...field('evaluator_id')}
      />
      {values.evaluator_id === '' && (
        <TextInput
          label="Name of the score"
          description="What reviewers judge, for example Helpful."
          {...input}
          {...field('score_name')}
        />
      )}
      <Textarea
        label="Instructions"
        description="Optional. Shown to reviewers."
        autosize
        minRows={2}
        maxRows={8}
        {...field('instructions')}
      />
      <TextInput label="Traces at most" inputMode="numeric" {...input} {...field('max_traces')} />
    </Form>
  )
}
