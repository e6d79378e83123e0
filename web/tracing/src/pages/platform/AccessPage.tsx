import { Form } from '@assay/account/form/Form.tsx'
import { useMutationForm } from '@assay/account/form/use-mutation-form.ts'
import { addPlatformAccess, type PlatformAccess } from '@assay/contract/platform.ts'
import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { Button, TextInput } from '@mantine/core'
import { IconAt, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { platformAccessQuery, useApprove, useRevokeAccess } from '../../api/platform.ts'
import { FormDialog } from '../../page/FormDialog.tsx'
import { ListPage } from '../../page/ListPage.tsx'

/** The addresses and domains that may have accounts. */
export function AccessPage() {
  const approving = useDialog<null>()
  const revoking = useDialog<PlatformAccess>()
  return (
    <ListPage
      title="Access"
      lead="Only people with an approved address can sign up, be invited or use single sign-on. Organizations decide what they can see."
      action={
        <Button leftSection={<IconPlus size={14} />} onClick={() => approving.open(null)}>
          Approve
        </Button>
      }
      rows={useQuery(platformAccessQuery)}
      noun={['approval', 'approvals']}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ pattern }) => pattern}
      actions={(access) => [
        { label: 'Revoke', isDanger: true, onSelect: () => revoking.open(access) },
      ]}
      empty={{
        Icon: IconAt,
        title: 'No approvals',
        text: 'Approve an address or a whole domain before inviting people.',
      }}
    >
      <FormDialog dialog={approving} title="Approve an address or domain">
        {(_target, close) => <ApproveForm onClose={close} />}
      </FormDialog>
      <ConfirmDialog
        dialog={revoking}
        mutation={useRevokeAccess()}
        variables={({ id }) => id}
        title="Revoke this approval?"
        confirmLabel="Revoke"
      >
        {({ pattern }) => (
          <>
            <p>
              {pattern.startsWith('@') ? 'People at ' : ''}
              <strong>{pattern}</strong> can no longer sign up or be invited, unless another
              approval covers them.
            </p>
            <p>Existing accounts keep their access. To lock someone out, disable their account.</p>
          </>
        )}
      </ConfirmDialog>
    </ListPage>
  )
}

function ApproveForm({ onClose }: { readonly onClose: () => void }) {
  const form = useMutationForm({
    endpoint: addPlatformAccess,
    initialValues: { pattern: '' },
    toBody: ({ pattern }: { readonly pattern: string }) => ({ pattern: patternFrom(pattern) }),
    mutation: useApprove(),
    onDone: onClose,
  })
  return (
    <Form form={form} submitLabel="Approve" onCancel={onClose}>
      <TextInput
        label="Address or domain"
        placeholder="ana@example.org or @example.org"
        required
        data-autofocus
        autoComplete="off"
        spellCheck={false}
        {...form.field('pattern')}
      />
    </Form>
  )
}

const columns: readonly Column<PlatformAccess>[] = [
  {
    key: 'pattern',
    header: 'Address or domain',
    cell: ({ pattern }) => (
      <>
        {pattern} {pattern.startsWith('@') && <span className="dimmed">whole domain</span>}
      </>
    ),
    sortValue: ({ pattern }) => pattern,
  },
  {
    key: 'approved-by',
    header: 'Approved by',
    cell: ({ added_by }) => added_by ?? <span className="dimmed">the command line</span>,
  },
  {
    key: 'approved',
    header: 'Approved',
    narrow: 'hidden',
    cell: ({ created_at }) => <TimeText at={created_at} />,
    sortValue: ({ created_at }) => created_at,
  },
]

/** A domain may be typed without its `@`. */
function patternFrom(text: string): string {
  const trimmed = text.trim()
  return trimmed === '' || trimmed.includes('@') ? trimmed : `@${trimmed}`
}
