import { AppFrame } from '@assay/account/shell/AppFrame.tsx'
import { lazyOverlay } from '@assay/ui/lazy-part.tsx'
import { ActionIcon } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { Outlet, useParams } from '@tanstack/react-router'
import { usePalette } from '../palette/use-palette.ts'
import { IgnoredParams } from './IgnoredParams.tsx'
import { Navigation } from './Navigation.tsx'
import { useNavigationContext } from './use-navigation-context.ts'

const Palette = lazyOverlay(() => import('../palette/Palette.tsx').then((file) => file.Palette))
const ShortcutSheet = lazyOverlay(() =>
  import('../palette/ShortcutSheet.tsx').then((file) => file.ShortcutSheet),
)

/** Wraps every page of a signed-in person. */
export function Shell() {
  const subject = useSubjectName()
  const palette = usePalette()
  const search = () => palette.show('palette')
  return (
    <AppFrame
      subject={subject}
      sideWidth={216}
      barActions={
        <ActionIcon size="lg" aria-label="Search" onClick={search}>
          <IconSearch size={19} stroke={1.75} />
        </ActionIcon>
      }
      navigation={(close) => (
        <Navigation
          {...(close === undefined ? {} : { onLeave: close })}
          onSearch={() => {
            close?.()
            search()
          }}
        />
      )}
      notice={<IgnoredParams />}
    >
      <Outlet />
      <Palette
        isOpen={palette.open === 'palette'}
        onClose={palette.close}
        takeTyped={palette.takeTyped}
        onShowShortcuts={() => palette.show('shortcuts')}
      />
      <ShortcutSheet isOpen={palette.open === 'shortcuts'} onClose={palette.close} />
    </AppFrame>
  )
}

/** The name of the project or organization of the page. */
function useSubjectName(): string | undefined {
  const context = useNavigationContext()
  const { projectId, orgId } = useParams({ strict: false })
  if (projectId !== undefined) return context?.project?.name
  return orgId === undefined ? undefined : context?.organization.name
}
