import type { Member } from '@assay/contract/members.ts'
import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { useVerifyMember } from '../../api/members.ts'

interface Props {
  readonly orgId: string
  readonly dialog: DialogState<Member>
}

/** Confirms that an address belongs to a member, for deployments without mail. */
export function VerifyMemberDialog({ orgId, dialog }: Props) {
  return (
    <ConfirmDialog
      dialog={dialog}
      mutation={useVerifyMember(orgId)}
      variables={({ user_id }) => user_id}
      title="Mark address as verified?"
      confirmLabel="Mark as verified"
    >
      {({ name, email }) => (
        <>
          <p>
            You confirm that <strong>{email}</strong> belongs to {name}.
          </p>
          <p>
            Other organizations of this service then add {name} directly when they invite this
            address. This cannot be undone.
          </p>
        </>
      )}
    </ConfirmDialog>
  )
}
