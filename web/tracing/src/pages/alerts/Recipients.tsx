import { setupQuery } from '@assay/account/api/session.ts'
import { limits } from '@assay/contract/limits.ts'
import { CloseButton, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { membersQuery } from '../../api/members.ts'
import styles from './alerts.module.css'

interface Props {
  readonly orgId: string
  readonly ids: readonly string[]
  readonly onChange: (ids: readonly string[]) => void
  readonly error: string | undefined
}

/** The members who get a mail. */
export function Recipients({ orgId, ids, onChange, error }: Props) {
  const { data: setup } = useQuery(setupQuery)
  const { data: members = [] } = useQuery(membersQuery(orgId))
  const others = members.filter(({ user_id }) => !ids.includes(user_id))
  const nameOf = (id: string) => {
    const member = members.find(({ user_id }) => user_id === id)
    return member === undefined ? 'A former member' : `${member.name} (${member.email})`
  }
  return (
    <>
      <NativeSelect
        label="Mail to"
        description={
          setup?.mail_configured === false
            ? 'This service has no mail server, so no mail is sent until its operator sets one up.'
            : undefined
        }
        error={error}
        value=""
        disabled={ids.length >= limits.alertRecipients.value}
        onChange={({ currentTarget: { value } }) => value !== '' && onChange([...ids, value])}
        data={[
          { value: '', label: 'Add a member…' },
          ...others.map(({ user_id, name, email }) => ({
            value: user_id,
            label: `${name} (${email})`,
          })),
        ]}
      />
      {ids.length > 0 && (
        <ul className={styles.people} aria-label="Mail to">
          {ids.map((id) => (
            <li key={id} className={styles.person}>
              {nameOf(id)}
              <CloseButton
                size="sm"
                aria-label={`Remove ${nameOf(id)}`}
                onClick={() => onChange(ids.filter((one) => one !== id))}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
