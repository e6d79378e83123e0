import type { Role } from '@assay/contract/access.ts'
import type { DataOf } from '@assay/contract/endpoint.ts'
import { limits } from '@assay/contract/limits.ts'
import type { inviteMember } from '@assay/contract/members.ts'
import { Snippet } from '@assay/ui/Snippet.tsx'
import { Button } from '@mantine/core'
import form from '../../form/form.module.css'

type Outcome = DataOf<typeof inviteMember>

interface Props {
  readonly outcome: Outcome
  readonly role: Role
  readonly onDone: () => void
}

/** What came of an invitation, with the link where there is one: it is not shown again. */
export function InviteOutcome({ outcome, role, onDone }: Props) {
  const { status, email, accept_url: link } = outcome
  return (
    <div className={form.fields} role="status">
      <div className={form.told}>
        {status === 'added' ? (
          <p>
            <strong>{email}</strong> has an account, and is a member as {role} now.{' '}
            {outcome.mail === 'sent' ? 'A mail tells them so.' : 'Tell them: no mail was sent.'}
          </p>
        ) : (
          <p>
            <strong>{email}</strong> is invited as {role}. {wayOf(outcome.mail)}
          </p>
        )}
        {link !== null && (
          <p>
            The link is shown only now. It works once, for {limits.inviteDays.value} days, and for
            this address alone.
          </p>
        )}
      </div>
      {link !== null && <Snippet text={link} copyLabel="Copy the invite link" isWrapped />}
      <div className={form.buttons}>
        <Button onClick={onDone} data-autofocus>
          {link === null || outcome.mail === 'sent' ? 'Done' : 'I have copied it'}
        </Button>
      </div>
    </div>
  )
}

function wayOf(mail: Outcome['mail']): string {
  switch (mail) {
    case 'sent':
      return 'A mail with the link is on its way; you can pass it on yourself, too.'
    case 'failed':
      return 'The mail could not be sent: pass the link on yourself.'
    case 'not_configured':
      return 'This service sends no mail: pass the link on yourself.'
  }
}
