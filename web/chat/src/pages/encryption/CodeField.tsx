import { TextInput } from '@mantine/core'

interface Props {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly description?: string
  readonly error?: string | undefined
  readonly autoFocus?: boolean
}

/** A recovery code as it is typed. */
export function CodeField({ onChange, ...props }: Props) {
  return (
    <TextInput
      label="Recovery code"
      autoComplete="off"
      spellCheck={false}
      required
      onChange={(event) => onChange(event.currentTarget.value)}
      {...props}
    />
  )
}
