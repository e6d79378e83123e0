import { Form } from '@assay/account/form/Form.tsx'
import { useMutationForm } from '@assay/account/form/use-mutation-form.ts'
import { tagTraces } from '@assay/contract/trace-management.ts'
import type { Trace } from '@assay/contract/traces.ts'
import { countOf } from '@assay/ui/count-of.ts'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { Checkbox, TextInput } from '@mantine/core'
import { useTagTraces } from '../../api/selected-traces.ts'
import { parseTags } from '../../form/parse-tags.ts'
import { FormDialog } from '../../page/FormDialog.tsx'
import { listTags, type TagChange } from './change-tags.ts'
import styles from './traces.module.css'

interface Props {
  readonly projectId: string
  readonly dialog: DialogState<readonly Trace[]>
  readonly onTagged: (traceIds: readonly string[], change: TagChange) => void
}

/** Adds tags to traces and removes them. */
export function TagTracesDialog({ projectId, dialog, onTagged }: Props) {
  return (
    <FormDialog
      dialog={dialog}
      title={(traces) => `Change tags of ${countOf(traces.length, 'trace')}`}
    >
      {(traces, close) => <TagForm {...{ projectId, traces, onTagged }} onClose={close} />}
    </FormDialog>
  )
}

interface FormProps extends Omit<Props, 'dialog'> {
  readonly traces: readonly Trace[]
  readonly onClose: () => void
}

/** More are not offered for removal. */
const maxOffered = 30

function TagForm({ projectId, traces, onTagged, onClose }: FormProps) {
  const toChange = ({ added, remove }: { readonly added: string; readonly remove: string[] }) => ({
    add: parseTags(added),
    remove,
  })
  const form = useMutationForm({
    endpoint: tagTraces,
    initialValues: { added: '', remove: [] as string[] },
    mutation: useTagTraces(projectId),
    toBody: (values) => ({
      trace_ids: traces.map(({ trace_id }) => trace_id),
      ...toChange(values),
    }),
    onDone({ tagged }, values) {
      onTagged(tagged, toChange(values))
      onClose()
    },
  })
  const present = listTags(traces).slice(0, maxOffered)
  return (
    <Form form={form} submitLabel="Change tags" onCancel={onClose}>
      <TextInput
        label="Add tags"
        description="Separate tags with commas."
        data-autofocus
        autoComplete="off"
        {...form.field('added')}
      />
      {present.length > 0 && (
        <Checkbox.Group label="Remove tags" {...form.field('remove')}>
          <div className={styles.tagChoices}>
            {present.map((tag) => (
              <Checkbox key={tag} value={tag} label={tag} />
            ))}
          </div>
        </Checkbox.Group>
      )}
    </Form>
  )
}
