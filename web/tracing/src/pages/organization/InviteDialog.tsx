import type { Organization } from '@assay/contract/organizations.ts'
import { Modal } from '@mantine/core'
import { useState } from 'react'
import { type Invitation, useInvite } from '../../api/members.ts'
import { InviteForm } from './InviteForm.tsx'
import { InviteOutcome } from './InviteOutcome.tsx'

interface Props {
  readonly organization: Organization
  readonly isOpen: boolean
  /** Whom to invite again; a new invite takes the place of the pending one. */
  readonly again?: Invitation | undefined
  readonly onClose: () => void
}

/** Asks whom to invite as what, then shows what came of it: the link, the one time. */
export function InviteDialog({ organization, isOpen, again, onClose }: Props) {
  return (
    // A click beside the dialog must not throw away a link that is shown only once.
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={again === undefined ? `Invite to ${organization.name}` : 'Invite again'}
      closeOnClickOutside={false}
    >
      <Invite organization={organization} again={again} onDone={onClose} />
    </Modal>
  )
}

interface InviteProps {
  readonly organization: Organization
  readonly again: Invitation | undefined
  readonly onDone: () => void
}

function Invite({ organization, again, onDone }: InviteProps) {
  const [draft, setDraft] = useState<Invitation>(again ?? { email: '', role: 'Viewer' })
  const inviting = useInvite(organization.id)
  if (inviting.data !== undefined) {
    return <InviteOutcome outcome={inviting.data} role={draft.role} onDone={onDone} />
  }
  return (
    <InviteForm
      organization={organization}
      draft={draft}
      isAgain={again !== undefined}
      inviting={inviting}
      onChange={(next) => {
        setDraft(next)
        inviting.reset()
      }}
      onCancel={onDone}
    />
  )
}
