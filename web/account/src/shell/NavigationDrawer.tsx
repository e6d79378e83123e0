import { Drawer } from '@mantine/core'
import { type ReactNode, use } from 'react'
import styles from './app-frame.module.css'
import { ProductName } from './product-name.ts'

/** Not the search: on a phone, its keyboard would cover the list. */
const withFocus = { 'data-autofocus': true }

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
  /** In pixels. */
  readonly size: number
  readonly children: ReactNode
}

/** The navigation of narrow screens. */
export function NavigationDrawer({ isOpen, onClose, size, children }: Props) {
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      size={size}
      title={use(ProductName)}
      classNames={{ content: styles.drawer, body: styles.drawerBody }}
      closeButtonProps={{ 'aria-label': 'Close the menu', ...withFocus }}
    >
      {children}
    </Drawer>
  )
}
