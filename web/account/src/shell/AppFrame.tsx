import { lazyOverlay } from '@assay/ui/lazy-part.tsx'
import { ActionIcon } from '@mantine/core'
import { IconMenu2 } from '@tabler/icons-react'
import { type CSSProperties, type ReactNode, use, useState } from 'react'
import styles from './app-frame.module.css'
import { ProductName } from './product-name.ts'

const NavigationDrawer = lazyOverlay(() =>
  import('./NavigationDrawer.tsx').then((file) => file.NavigationDrawer),
)

interface Props {
  /** The name of what the page is about, for narrow screens; the product if undefined. */
  readonly subject: string | undefined
  /** Buttons of the bar of narrow screens. */
  readonly barActions?: ReactNode
  /** Renders the navigation. `close` is there in the drawer of narrow screens, for when a link is followed. */
  readonly navigation: (close?: () => void) => ReactNode
  /** The width of the navigation, in pixels. */
  readonly sideWidth: number
  /** Between the bar and the page. */
  readonly notice?: ReactNode
  readonly children: ReactNode
}

/** The navigation beside every page of a signed-in person, in a drawer on narrow screens. */
export function AppFrame(props: Props) {
  const { subject, barActions, navigation, sideWidth, notice, children } = props
  const [isOpen, setOpen] = useState(false)
  const product = use(ProductName)
  const close = () => setOpen(false)
  return (
    <div className={styles.shell} style={{ '--side-width': `${sideWidth}px` } as CSSProperties}>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <header className={styles.bar}>
        <ActionIcon size="lg" aria-label="Open the menu" onClick={() => setOpen(true)}>
          <IconMenu2 size={20} stroke={1.75} />
        </ActionIcon>
        <span className={styles.current}>{subject ?? product}</span>
        <div className={styles.barActions}>{barActions}</div>
      </header>
      <NavigationDrawer isOpen={isOpen} onClose={close} size={Math.max(280, sideWidth)}>
        {navigation(close)}
      </NavigationDrawer>
      <aside className={styles.side}>{navigation()}</aside>
      <div className={styles.notice}>{notice}</div>
      <main id="main" className={styles.main} tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}
