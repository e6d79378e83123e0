import { ActionIcon, Button } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useCopy } from './use-copy.ts'

interface Props {
  /** The text, or a function that returns it when needed. */
  readonly text: string | (() => string)
  /** What is copied, for the accessible name: `Copy trace id`. */
  readonly label: string
  /** The visible label; without it, only an icon is shown. */
  readonly children?: string
}

/** Copies and confirms it for two seconds, or shows that the browser refused clipboard access. */
export function CopyButton({ text, label, children }: Props) {
  const [state, copyText] = useCopy()
  const copy = () => void copyText(typeof text === 'string' ? text : text())
  const icon = state === 'done' ? <IconCheck size={14} /> : <IconCopy size={14} />
  const statusLabel = {
    ready: label,
    done: 'Copied',
    refused: 'The browser blocked copying',
  }[state]
  if (children !== undefined) {
    return (
      <Button variant="default" leftSection={icon} onClick={copy} aria-label={statusLabel}>
        {state === 'ready' ? children : state === 'done' ? 'Copied' : 'Refused'}
      </Button>
    )
  }
  return (
    <ActionIcon size="sm" onClick={copy} aria-label={statusLabel} title={statusLabel}>
      {icon}
    </ActionIcon>
  )
}
