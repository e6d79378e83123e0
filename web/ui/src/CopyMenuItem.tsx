import { Menu } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useCopy } from './use-copy.ts'

interface Props {
  /** Called when the item is chosen. */
  readonly text: () => string
  readonly icon: ReactNode
  /** `Copy link`. */
  readonly children: string
}

/** A menu item that copies a text, and stays to confirm it. */
export function CopyMenuItem({ text, icon, children }: Props) {
  const [state, copy] = useCopy()
  const labels = { ready: children, done: 'Copied', refused: 'The browser blocked copying' }
  return (
    <Menu.Item
      closeMenuOnClick={false}
      leftSection={state === 'done' ? <IconCheck size={15} /> : icon}
      onClick={() => void copy(text())}
    >
      <span aria-live="polite">{labels[state]}</span>
    </Menu.Item>
  )
}
