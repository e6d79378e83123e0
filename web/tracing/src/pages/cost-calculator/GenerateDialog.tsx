import { Form } from '@assay/account/form/Form.tsx'
import { useMutationForm } from '@assay/account/form/use-mutation-form.ts'
import { generateScenarios, streamScenarios } from '@assay/contract/scenarios.ts'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { Switch, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type GenerateBody, useInvalidateRuns } from '../../api/cost-runs.ts'
import { parseNumber } from '../../form/parse-number.ts'
import { FormDialog } from '../../page/FormDialog.tsx'
import { useProject } from '../../shell/use-project.ts'
import type { EstimateSearch } from './estimate-search.ts'
import { defaultScenarios, readAmount } from './estimate-settings.ts'
import { useLiveRuns } from './live-context.ts'
import { useDraft } from './use-draft.ts'
import { WriterSelect } from './WriterSelect.tsx'

interface Props {
  readonly search: EstimateSearch
  readonly dialog: DialogState<null>
}

/** Generates scenarios for the entered agent, and opens their run. */
export function GenerateDialog({ search, dialog }: Props) {
  return (
    <FormDialog dialog={dialog} title="Generate scenarios">
      {(_, close) => <GenerateForm search={search} onClose={close} />}
    </FormDialog>
  )
}

interface FormProps {
  readonly search: EstimateSearch
  readonly onClose: () => void
}

function GenerateForm({ search, onClose }: FormProps) {
  const { project } = useProject()
  const { draft } = useDraft()
  const live = useLiveRuns()
  const navigate = useNavigate()
  const invalidate = useInvalidateRuns(project.id)
  const params = { projectId: project.id }
  const form = useMutationForm({
    endpoint: generateScenarios,
    initialValues: {
      scenario_count: String(readAmount('scenarios', search.scenarios) ?? defaultScenarios),
      include_multi_turn: search.multi !== undefined,
      model_config_id: '',
    },
    mutation: useMutation<string, Error, GenerateBody>({
      mutationFn: (body) => live.start('generating', streamScenarios, { params, body }, invalidate),
    }),
    toBody: ({ scenario_count, include_multi_turn, model_config_id }) => ({
      agent_config: draft.agent,
      scenario_count: parseNumber(scenario_count) ?? Number.NaN,
      include_multi_turn,
      model_config_id: model_config_id || null,
    }),
    onDone: (runId) =>
      void navigate({
        to: '/p/$projectId/cost-calculator/runs/$runId',
        params: { projectId: project.id, runId },
      }),
  })
  const { field } = form
  return (
    <Form form={form} submitLabel="Generate" onCancel={onClose}>
      <TextInput
        label="Scenarios"
        description="Conversations that simulated users have with the agent"
        inputMode="numeric"
        autoComplete="off"
        data-autofocus
        {...field('scenario_count')}
      />
      <Switch
        label="Include multi-turn conversations"
        {...field('include_multi_turn')}
        defaultChecked={form.values.include_multi_turn}
      />
      <WriterSelect field={field('model_config_id')} />
    </Form>
  )
}
