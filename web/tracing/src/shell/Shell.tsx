import { ActionIcon, Drawer } from '@mantine/core'
import { IconMenu2, IconSearch } from '@tabler/icons-react'
import { Outlet, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { Palette } from '../palette/Palette.tsx'
import { ShortcutSheet } from '../palette/ShortcutSheet.tsx'
import { usePalette } from '../palette/use-palette.ts'
import { IgnoredParams } from './IgnoredParams.tsx'
import { Navigation } from './Navigation.tsx'
import styles from './Shell.module.css'
import { useNavigationContext } from './use-navigation-context.ts'

/** Wraps every page of a signed-in person. */
export function Shell() {
  const [isOpen, setOpen] = useState(false)
  const name = useSubjectName()
  const close = () => setOpen(false)
  const palette = usePalette()
  const search = () => {
    close()
    palette.show('palette')
  }
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <header className={styles.bar}>
        <ActionIcon size="lg" aria-label="Open the menu" onClick={() => setOpen(true)}>
          <IconMenu2 size={20} stroke={1.75} />
        </ActionIcon>
        <span className={styles.current}>{name ?? 'Assay'}</span>
        <ActionIcon size="lg" aria-label="Search" className={styles.barSearch} onClick={search}>
          <IconSearch size={19} stroke={1.75} />
        </ActionIcon>
      </header>
      <Drawer
        opened={isOpen}
        onClose={close}
        size={280}
        title="Assay"
        classNames={{ content: styles.drawer, body: styles.drawerBody }}
        closeButtonProps={{ 'aria-label': 'Close the menu' }}
      >
        <Navigation onLeave={close} onSearch={search} />
      </Drawer>
      <aside className={styles.side}>
        <Navigation onSearch={search} />
      </aside>
      <IgnoredParams />
      <main id="main" className={styles.main} tabIndex={-1}>
        <Outlet />
      </main>
      <Palette
        isOpen={palette.open === 'palette'}
        onClose={palette.close}
        onShowShortcuts={() => palette.show('shortcuts')}
      />
      <ShortcutSheet isOpen={palette.open === 'shortcuts'} onClose={palette.close} />
    </div>
  )
}

/** The name of the project or organization of the page. */
function useSubjectName(): string | undefined {
  const context = useNavigationContext()
  const { projectId, orgId } = useParams({ strict: false })
  if (projectId !== undefined) return context?.project?.name
  return orgId === undefined ? undefined : context?.organization.name
}
