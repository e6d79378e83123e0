import { limits } from '@assay/contract/limits.ts'
import { TextInput } from '@mantine/core'

interface Props {
  readonly value: string
  readonly onChange: (value: string) => void
}

/** How the browser is called in the list of devices. */
export function BrowserNameField({ value, onChange }: Props) {
  return (
    <TextInput
      label="Name of this browser"
      required
      maxLength={limits.deviceLabelLength.value}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
