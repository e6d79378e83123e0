import { Form } from '@assay/account/form/Form.tsx'
import { useMutationForm } from '@assay/account/form/use-mutation-form.ts'
import type { CostRun } from '@assay/contract/cost-runs.ts'
import type { ScenarioSummary } from '@assay/contract/scenarios.ts'
import { generateScenarios } from '@assay/contract/scenarios.ts'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { useRegenerateScenario } from '../../api/cost-runs.ts'
import { FormDialog } from '../../page/FormDialog.tsx'
import { WriterSelect } from './WriterSelect.tsx'
import { writerOfRun } from './writer-of-run.ts'

interface Props {
  readonly run: CostRun
  readonly dialog: DialogState<ScenarioSummary>
}

/** Writes one scenario of a run again. */
export function RegenerateDialog({ run, dialog }: Props) {
  return (
    <FormDialog dialog={dialog} title={({ name }) => `Rewrite ${name}`}>
      {(scenario, close) => <RegenerateForm run={run} scenario={scenario} onClose={close} />}
    </FormDialog>
  )
}

interface FormProps {
  readonly run: CostRun
  readonly scenario: ScenarioSummary
  readonly onClose: () => void
}

function RegenerateForm({ run, scenario, onClose }: FormProps) {
  const ofRun = run.generator === 'model'
  const form = useMutationForm({
    endpoint: generateScenarios,
    initialValues: { model_config_id: ofRun ? writerOfRun : '' },
    mutation: useRegenerateScenario(run.project_id),
    toBody: ({ model_config_id }) => ({
      agent_config: run.agent_config,
      ...{ run_id: run.id, scenario_id: scenario.id },
      ...(model_config_id !== writerOfRun && { model_config_id: model_config_id || null }),
    }),
    onDone: onClose,
  })
  return (
    <Form form={form} submitLabel="Rewrite" onCancel={onClose}>
      <p>It keeps its place. Its results are removed.</p>
      <WriterSelect field={form.field('model_config_id')} ofRun={ofRun} />
    </Form>
  )
}
