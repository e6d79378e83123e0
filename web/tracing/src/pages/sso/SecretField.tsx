import { Button, Input, PasswordInput } from '@mantine/core'
import styles from './sso.module.css'

interface Props {
  /** The stored one is kept. */
  readonly isReused: boolean
  /** The stored one can be kept. */
  readonly canReuse: boolean
  /** The stored one was entered for another issuer and is only sent to that one. */
  readonly isForAnother: boolean
  readonly value: string | undefined
  readonly error: string | undefined
  readonly onChange: (value: string | undefined) => void
}

/** A secret that can be set but not read. */
export function SecretField({ isReused, canReuse, isForAnother, value, error, onChange }: Props) {
  if (isReused) {
    return (
      <Input.Wrapper label="Client secret" error={error}>
        <div className={styles.secret}>
          <span className="dimmed">Stored. It cannot be shown again.</span>
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
            ? 'The stored secret belongs to the previous issuer. Enter the new one.'
            : 'Stored encrypted and never shown again. Optional for public clients.'
        }
        autoComplete="off"
        value={value ?? ''}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {canReuse && (
        <Button variant="subtle" onClick={() => onChange(undefined)} style={{ alignSelf: 'end' }}>
          Keep stored secret
        </Button>
      )}
    </div>
  )
}
