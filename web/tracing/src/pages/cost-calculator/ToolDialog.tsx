import form from '@assay/account/form/form.module.css'
import { errorsByField, schemaErrors } from '@assay/account/form/schema-errors.ts'
import { type AgentTool, agentTool, agentToolKinds } from '@assay/contract/agent-config.ts'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { type SyntheticEvent, useState } from 'react'
import { FormDialog } from '../../page/FormDialog.tsx'
import styles from './cost-calculator.module.css'
import { toolKindLabels } from './run-labels.ts'
import { schemaNote } from './schema-note.ts'

export interface ToolTarget {
  /** Undefined for a new one. */
  readonly tool: AgentTool | undefined
  readonly index: number
}

interface Props {
  readonly dialog: DialogState<ToolTarget>
  readonly onDone: (target: ToolTarget, tool: AgentTool) => void
}

/** Adds or edits a tool of an agent. */
export function ToolDialog({ dialog, onDone }: Props) {
  return (
    <FormDialog
      dialog={dialog}
      title={({ tool }) => (tool === undefined ? 'Add a tool' : 'Edit tool')}
      size="lg"
      closeOnClickOutside={false}
    >
      {(target, close) => (
        <ToolForm
          tool={target.tool}
          onCancel={close}
          onDone={(tool) => {
            close()
            onDone(target, tool)
          }}
        />
      )}
    </FormDialog>
  )
}

interface FormProps {
  readonly tool: AgentTool | undefined
  readonly onCancel: () => void
  readonly onDone: (tool: AgentTool) => void
}

const newTool = { kind: 'tool', name: '', description: '' } as const
type TextName = 'kind' | 'name' | 'description' | 'content'

function ToolForm({ tool, onCancel, onDone }: FormProps) {
  const [values, setValues] = useState<Record<TextName, string>>({
    ...newTool,
    ...tool,
    content: tool?.content ?? '',
  })
  const [isSubmitted, setSubmitted] = useState(false)
  const { name, content, ...rest } = values
  const entered = {
    ...{ mode: 'simulated', ...tool, ...rest, name: name.trim() },
    content: content.trim() === '' ? undefined : content,
  }
  const errors = errorsByField(
    schemaErrors(agentTool, entered),
    Object.keys(values),
    entered,
  ).fields

  function submit(event: SyntheticEvent): void {
    event.preventDefault()
    // The form of the agent is around the dialog.
    event.stopPropagation()
    setSubmitted(true)
    const { data } = agentTool.safeParse(entered)
    if (data !== undefined) onDone(data)
  }

  const field = (of: TextName) => ({
    value: values[of],
    error: isSubmitted || errors[of] !== 'Required' ? errors[of] : undefined,
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      setValues((before) => ({ ...before, [of]: currentTarget.value })),
  })
  return (
    <form noValidate className={form.fields} onSubmit={submit}>
      <TextInput
        label="Name"
        placeholder="look_up_order"
        required
        data-autofocus
        autoComplete="off"
        spellCheck={false}
        {...field('name')}
      />
      <NativeSelect
        label="Kind"
        data={agentToolKinds.map((value) => ({ value, label: toolKindLabels[value] }))}
        {...field('kind')}
      />
      <Textarea
        label="Description"
        description="Optional. What the tool does, as the model reads it."
        autosize
        minRows={2}
        maxRows={6}
        {...field('description')}
      />
      <Textarea
        label="Parameters"
        description={schemaNote(content)}
        placeholder='{"type":"object","properties":{"number":{"type":"string"}}}'
        classNames={{ input: styles.code ?? '' }}
        spellCheck={false}
        autosize
        minRows={5}
        maxRows={16}
        {...field('content')}
      />
      <div className={form.buttons}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit">{tool === undefined ? 'Add tool' : 'Save'}</Button>
      </div>
    </form>
  )
}
