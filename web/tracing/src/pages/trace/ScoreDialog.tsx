import { Form } from '@assay/account/form/Form.tsx'
import { useMutationForm } from '@assay/account/form/use-mutation-form.ts'
import { putScore } from '@assay/contract/scores.ts'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { SegmentedControl, Textarea, TextInput } from '@mantine/core'
import { usePutScore } from '../../api/scores.ts'
import { FormDialog } from '../../page/FormDialog.tsx'
import { type ScoreTarget, type ScoreValues, toScoreBody, toScoreValues } from './score-values.ts'

interface Props {
  readonly projectId: string
  readonly traceId: string
  readonly dialog: DialogState<ScoreTarget>
}

/** Scores a trace with a reason, or changes the own score. */
export function ScoreDialog({ dialog, ...trace }: Props) {
  return (
    <FormDialog
      dialog={dialog}
      title={({ name, spanId }) =>
        name !== ''
          ? `Your score: ${name}`
          : spanId === undefined
            ? 'Score this trace'
            : 'Score this span'
      }
      closeOnClickOutside={false}
    >
      {(target, close) => <ScoreForm {...trace} target={target} onClose={close} />}
    </FormDialog>
  )
}

interface FormProps extends Omit<Props, 'dialog'> {
  readonly target: ScoreTarget
  readonly onClose: () => void
}

function ScoreForm({ projectId, traceId, target, onClose }: FormProps) {
  const form = useMutationForm({
    endpoint: putScore,
    initialValues: toScoreValues(target),
    mutation: usePutScore(projectId, traceId),
    toBody: (values: ScoreValues) => toScoreBody(values, target),
    onDone: onClose,
  })
  const { field, values, setValue } = form
  return (
    <Form form={form} submitLabel="Save score" onCancel={onClose}>
      {target.name === '' && (
        <TextInput
          label="Name"
          description="What you score, for example Helpful. The same name replaces your earlier score."
          required
          data-autofocus
          autoComplete="off"
          {...field('name')}
        />
      )}
      <SegmentedControl
        aria-label="Verdict"
        value={values.verdict}
        onChange={(verdict) => setValue('verdict', verdict)}
        data={[
          { value: 'pass', label: 'Pass' },
          { value: 'fail', label: 'Fail' },
        ]}
      />
      <TextInput
        label="Score"
        description={`Optional, from 0 to 1. Without one, ${values.verdict === 'pass' ? 'a pass is 1' : 'a fail is 0'}.`}
        inputMode="decimal"
        autoComplete="off"
        {...field('score')}
      />
      <Textarea
        label="Reason"
        description="Optional"
        autosize
        minRows={3}
        maxRows={10}
        {...field('reasoning')}
      />
    </Form>
  )
}
