import { ActionIcon, Button } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'

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
  const [state, setState] = useState<'ready' | 'done' | 'refused'>('ready')

  async function copy() {
    const copied = await copyText(typeof text === 'string' ? text : text())
    setState(copied ? 'done' : 'refused')
    setTimeout(() => setState('ready'), 2000)
  }

  const icon = state === 'done' ? <IconCheck size={14} /> : <IconCopy size={14} />
  const statusLabel = {
    ready: label,
    done: 'Copied',
    refused: 'The browser blocked copying',
  }[state]
  if (children !== undefined) {
    return (
      <Button
        variant="default"
        leftSection={icon}
        onClick={() => void copy()}
        aria-label={statusLabel}
      >
        {state === 'ready' ? children : state === 'done' ? 'Copied' : 'Refused'}
      </Button>
    )
  }
  return (
    <ActionIcon size="sm" onClick={() => void copy()} aria-label={statusLabel} title={statusLabel}>
      {icon}
    </ActionIcon>
  )
}

async function copyText(text: string): Promise<boolean> {
  // The clipboard API only exists on https and localhost.
  if (navigator.clipboard === undefined) return copyBySelection(text)
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => copyBySelection(text),
  )
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'visually-hidden'
  const focused = document.activeElement
  document.body.append(area)
  area.select()
  // oxlint-disable-next-line typescript/no-deprecated -- over plain HTTP browsers offer no other way to the clipboard
  const copied = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return copied
}
