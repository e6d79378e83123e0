import { useLocalStorage } from '@mantine/hooks'

/** Whether messages are shown as they were sent, rather than with their Markdown and JSON rendered. Stays as the person left it. */
export function useRawText() {
  const [isRaw, setRaw] = useLocalStorage({
    key: 'assay-raw-messages',
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  return { isRaw, setRaw }
}
