import { ActionIcon } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props {
  readonly label: string
  readonly isAtEnd: boolean
  readonly onMove: () => void
  readonly children: ReactNode
}

/** Moves an item of a list. Uses `aria-disabled` at the ends, because a disabled button would lose the focus. */
export function MoveButton({ label, isAtEnd, onMove, children }: Props) {
  return (
    <ActionIcon
      size={22}
      aria-label={label}
      aria-disabled={isAtEnd}
      {...(isAtEnd ? { 'data-disabled': true } : {})}
      onClick={onMove}
    >
      {children}
    </ActionIcon>
  )
}
