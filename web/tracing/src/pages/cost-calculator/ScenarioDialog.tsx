import { Form } from '@assay/account/form/Form.tsx'
import { useMutationForm } from '@assay/account/form/use-mutation-form.ts'
import { type CostRun, updateScenario } from '@assay/contract/cost-runs.ts'
import { limits } from '@assay/contract/limits.ts'
import { type ScenarioSummary, scenarioCategories } from '@assay/contract/scenarios.ts'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { type ScenarioChange, useUpdateScenario } from '../../api/cost-runs.ts'
import { FormDialog } from '../../page/FormDialog.tsx'
import { categoryLabels } from '../../scenarios/category-labels.ts'
import { joinTurns, splitTurns } from './scenario-turns.ts'

interface Props {
  readonly run: CostRun
  readonly dialog: DialogState<ScenarioSummary>
}

/** Edits a scenario by hand. */
export function ScenarioDialog({ run, dialog }: Props) {
  return (
    <FormDialog dialog={dialog} title="Edit scenario" size="lg" closeOnClickOutside={false}>
      {(scenario, close) => <ScenarioForm run={run} scenario={scenario} onClose={close} />}
    </FormDialog>
  )
}

interface FormProps {
  readonly run: CostRun
  readonly scenario: ScenarioSummary
  readonly onClose: () => void
}

function ScenarioForm({ run, scenario, onClose }: FormProps) {
  const { id, name, category, conversation_plan: plan, turns } = scenario
  const update = useUpdateScenario(run.project_id, run.id)
  const form = useMutationForm({
    endpoint: updateScenario,
    initialValues: {
      ...{ name, category },
      conversation_plan: { goal: plan.goal, satisfied_when: plan.satisfied_when },
      turns: joinTurns(turns),
    },
    mutation: {
      ...update,
      mutate: (body: ScenarioChange, callbacks) =>
        update.mutate({ scenarioId: id, body }, callbacks),
    },
    toBody: (values): ScenarioChange => ({
      name: values.name,
      category: values.category,
      conversation_plan: { ...plan, ...values.conversation_plan },
      turns: splitTurns(values.turns),
    }),
    onDone: onClose,
  })
  const { field } = form
  const hasResults = run.results.some(({ scenario_id }) => scenario_id === id)
  return (
    <Form form={form} submitLabel="Save" onCancel={onClose}>
      {hasResults && <p>Its results are removed, because they are of the earlier scenario.</p>}
      <TextInput label="Name" required data-autofocus autoComplete="off" {...field('name')} />
      <NativeSelect
        label="Category"
        data={scenarioCategories.map((value) => ({ value, label: categoryLabels[value] ?? value }))}
        {...field('category')}
      />
      <Textarea
        label="Goal"
        description="What the user wants"
        required
        autosize
        minRows={2}
        maxRows={6}
        {...field('conversation_plan.goal')}
      />
      <TextInput
        label="Satisfied when"
        description="When the user ends the conversation"
        required
        autoComplete="off"
        {...field('conversation_plan.satisfied_when')}
      />
      <Textarea
        label="Messages of the user"
        description={`In order, separated by a line with ---. Up to ${limits.scenarioTurns.value}.`}
        required
        autosize
        minRows={4}
        maxRows={16}
        {...field('turns')}
      />
    </Form>
  )
}
