import { Switch } from '@mantine/core'
import { useRawText } from './use-raw-text.ts'

/** For all messages, on all pages. */
export function RawSwitch() {
  const { isRaw, setRaw } = useRawText()
  return (
    <Switch
      size="xs"
      label="Raw"
      checked={isRaw}
      onChange={(event) => setRaw(event.currentTarget.checked)}
    />
  )
}
