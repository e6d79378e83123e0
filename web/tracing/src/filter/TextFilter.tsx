import { useDebouncedInput } from '@assay/ui/use-debounced-input.ts'
import { TextInput, type TextInputProps } from '@mantine/core'

interface Props extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly label: string
  readonly value: string | undefined
  /** Called after a pause in typing; undefined without text. */
  readonly onChange: (text: string | undefined) => void
}

/** Filters by a text. */
export function TextFilter({ label, value, onChange, ...input }: Props) {
  const typed = useDebouncedInput(value ?? '', (text) => onChange(text === '' ? undefined : text))
  return (
    <TextInput
      {...input}
      size="xs"
      placeholder={label}
      aria-label={label}
      value={typed.text}
      onChange={(event) => typed.type(event.currentTarget.value)}
      onBlur={typed.flush}
      onKeyDown={(event) => {
        if (event.key === 'Enter') typed.flush()
      }}
    />
  )
}
