import { Button, Input, PasswordInput } from '@mantine/core'
import styles from './sso.module.css'

interface Props {
  /** One is stored, and stays. */
  readonly isReused: boolean
  /** One is stored that could stay. */
  readonly canReuse: boolean
  /** One is stored that was entered for another issuer, which alone may get it. */
  readonly isForAnother: boolean
  readonly value: string | undefined
  readonly error: string | undefined
  readonly onChange: (value: string | undefined) => void
}

/** A secret that can be written and not read. */
export function SecretField({ isReused, canReuse, isForAnother, value, error, onChange }: Props) {
  if (isReused) {
    return (
      <Input.Wrapper label="Client secret" error={error}>
        <div className={styles.secret}>
          <span className="dimmed">Stored; it is never shown again.</span>
          <Button variant="default" onClick={() => onChange('')}>
            Replace
          </Button>
        </div>
      </Input.Wrapper>
    )
  }
  return (
    <div className={styles.secret}>
      <PasswordInput
        style={{ flex: '1 1 240px' }}
        label="Client secret"
        description={
          isForAnother
            ? 'The stored one was for the issuer before and is not sent to another: enter it again.'
            : 'Stored encrypted and never shown again. Empty for a client without one.'
        }
        autoComplete="off"
        value={value ?? ''}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {canReuse && (
        <Button variant="subtle" onClick={() => onChange(undefined)} style={{ alignSelf: 'end' }}>
          Keep the stored one
        </Button>
      )}
    </div>
  )
}
