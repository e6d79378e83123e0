import form from '@assay/account/form/form.module.css'
import type { Role } from '@assay/contract/access.ts'
import type { DataOf } from '@assay/contract/endpoint.ts'
import { limits } from '@assay/contract/limits.ts'
import type { inviteMember } from '@assay/contract/members.ts'
import { Button } from '@mantine/core'
import { ShownOnce } from '../../page/ShownOnce.tsx'

type Outcome = DataOf<typeof inviteMember>

interface Props {
  readonly outcome: Outcome
  readonly role: Role
  readonly onDone: () => void
}

/** The result of an invitation, with its link if there is one. */
export function InviteOutcome({ outcome, role, onDone }: Props) {
  const { status, email, mail, accept_url: link } = outcome
  const text = (
    <p>
      <strong>{email}</strong>{' '}
      {status === 'added'
        ? `already has an account and is now a member with the role ${role}.`
        : `is invited with the role ${role}.`}{' '}
      {formatMail(outcome)}
    </p>
  )
  if (link === null) {
    return (
      <div className={form.fields} role="status">
        <div className={form.message}>{text}</div>
        <div className={form.buttons}>
          <Button onClick={onDone} data-autofocus>
            Done
          </Button>
        </div>
      </div>
    )
  }
  return (
    <ShownOnce
      secret={link}
      copyLabel="Copy the invite link"
      onClose={onDone}
      {...(mail === 'sent' ? { closeLabel: 'Done' } : {})}
    >
      {text}
      <p>
        The link is shown only now. It works once, for this address only, and expires after{' '}
        {limits.inviteDays.value} days.
      </p>
    </ShownOnce>
  )
}

function formatMail({ status, mail }: Outcome): string {
  if (mail === 'sent') return 'They get an e-mail about it.'
  if (status === 'added') return 'No e-mail was sent: let them know.'
  return mail === 'failed'
    ? 'The e-mail could not be sent: pass on the link yourself.'
    : 'E-mail is not set up: pass on the link yourself.'
}
