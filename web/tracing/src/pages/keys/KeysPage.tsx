import { Form } from '@assay/account/form/Form.tsx'
import { useMutationForm } from '@assay/account/form/use-mutation-form.ts'
import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { createTracingKey, type TracingKey } from '@assay/contract/tracing-keys.ts'
import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import { StatusMark } from '@assay/ui/StatusMark.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { Button, Input, SegmentedControl, TextInput } from '@mantine/core'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  defaultKeyName,
  formatKey,
  isActiveKey,
  tracingKeysQuery,
  useCreateKey,
  useRevokeKey,
} from '../../api/tracing-keys.ts'
import { FormDialog } from '../../page/FormDialog.tsx'
import { ListPage } from '../../page/ListPage.tsx'
import { PermissionNote } from '../../page/PermissionNote.tsx'
import { ShownOnce } from '../../page/ShownOnce.tsx'
import { useProject } from '../../shell/use-project.ts'

/** The tracing keys of a project, newest first, revoked ones included. */
export function KeysPage() {
  const current = useProject()
  const projectId = current.project.id
  const canManage = current.can('manage_org_settings')
  const keys = useQuery(tracingKeysQuery(projectId))
  const creating = useDialog<null>()
  const revoking = useDialog<TracingKey>()
  const create = (
    <Button leftSection={<IconPlus size={14} />} onClick={() => creating.open(null)}>
      Create key
    </Button>
  )
  const revoke = (key: TracingKey) => {
    return { label: 'Revoke', isDanger: true, onSelect: () => revoking.open(key) }
  }
  return (
    <ListPage
      title="Tracing keys"
      lead="A key can only send traces, metrics and logs to this project. Keep it out of browsers and mobile apps."
      note={
        <PermissionNote access={current} needs="manage_org_settings" to="create and revoke keys" />
      }
      action={canManage && create}
      rows={keys}
      noun={['key', 'keys']}
      countNote={`, ${keys.data?.filter(isActiveKey).length ?? 0} active`}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      actions={canManage ? (key) => (isActiveKey(key) ? [revoke(key)] : []) : undefined}
      empty={{
        Icon: IconKey,
        title: 'No tracing keys',
        text: 'Programs need one to send traces to this project.',
      }}
    >
      <FormDialog dialog={creating} title="New tracing key" closeOnClickOutside={false}>
        {(_target, close) => <CreateKey projectId={projectId} onClose={close} />}
      </FormDialog>
      <ConfirmDialog
        dialog={revoking}
        mutation={useRevokeKey(projectId)}
        variables={({ id }) => id}
        title="Revoke this key?"
        confirmLabel="Revoke key"
      >
        {(key) => (
          <p>
            Requests with {key.name} (<code>{formatKey(key)}</code>) are rejected from now on. This
            can't be undone. Stored traces are kept.
          </p>
        )}
      </ConfirmDialog>
    </ListPage>
  )
}

const columns: readonly Column<TracingKey>[] = [
  {
    key: 'name',
    header: 'Name',
    cell: ({ name }) => name,
    sortValue: ({ name }) => name,
  },
  { key: 'key', header: 'Key', cell: (key) => <code>{formatKey(key)}</code> },
  {
    key: 'created',
    header: 'Created',
    cell: ({ created_at }) => <TimeText at={created_at} />,
    sortValue: ({ created_at }) => created_at,
  },
  {
    key: 'last-used',
    header: 'Last used',
    cell: ({ last_used_at }) =>
      last_used_at === null ? (
        <span className="dimmed">Never</span>
      ) : (
        <TimeText at={last_used_at} withAge />
      ),
    sortValue: ({ last_used_at }) => last_used_at ?? '',
  },
  {
    key: 'status',
    header: 'Status',
    narrow: 'bare',
    cell: ({ revoked_at }) =>
      revoked_at === null ? (
        <StatusMark isError={false} word="Active" />
      ) : (
        <span className="dimmed">
          Revoked <TimeText at={revoked_at} />
        </span>
      ),
  },
]

interface CreateProps {
  readonly projectId: string
  readonly onClose: () => void
}

function CreateKey({ projectId, onClose }: CreateProps) {
  const mutation = useCreateKey(projectId)
  const [name] = useState(() => defaultKeyName(Date.now()))
  const form = useMutationForm({
    endpoint: createTracingKey,
    initialValues: { name, environment: 'live' } as const,
    mutation,
  })
  if (mutation.data !== undefined) {
    const use = { to: '/p/$projectId/send', params: { projectId }, variant: 'default' } as const
    return (
      <ShownOnce
        secret={mutation.data.key}
        copyLabel="Copy the tracing key"
        onClose={onClose}
        actions={<LinkButton {...use}>Use it in snippets</LinkButton>}
      >
        <p>Copy the key now. It is not stored and cannot be shown again.</p>
      </ShownOnce>
    )
  }
  return (
    <Form form={form} submitLabel="Create key" onCancel={onClose}>
      <TextInput label="Name" data-autofocus autoComplete="off" required {...form.field('name')} />
      <Input.Wrapper
        label="Kind"
        labelElement="div"
        inputWrapperOrder={['label', 'input', 'description']}
        description="The kind is only a label: it sets the prefix, tk_live_ or tk_test_."
      >
        <SegmentedControl
          aria-label="Kind"
          fullWidth
          {...form.field('environment')}
          data={[
            { value: 'live', label: 'Live' },
            { value: 'test', label: 'Test' },
          ]}
        />
      </Input.Wrapper>
    </Form>
  )
}
