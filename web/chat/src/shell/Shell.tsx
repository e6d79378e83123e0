import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { AppFrame } from '@assay/account/shell/AppFrame.tsx'
import { IconPlus } from '@tabler/icons-react'
import { Outlet } from '@tanstack/react-router'
import { Sidebar } from './Sidebar.tsx'
import { useDeletions } from './use-deletions.ts'
import { useProjectOfAddress } from './use-project.ts'
import { useShortcuts } from './use-shortcuts.ts'

/** Wraps every page of a signed-in person. */
export function Shell() {
  const current = useProjectOfAddress()
  const deletions = useDeletions()
  useShortcuts()
  return (
    <AppFrame
      subject={current?.project.name}
      sideWidth={264}
      barActions={
        current !== undefined && (
          <LinkButton
            to="/$orgSlug/$projectSlug"
            params={{ orgSlug: current.organization.slug, projectSlug: current.project.slug }}
            variant="subtle"
            leftSection={<IconPlus size={16} aria-hidden />}
          >
            New
          </LinkButton>
        )
      }
      navigation={(close) => <Sidebar deletions={deletions} onLeave={close} />}
    >
      <Outlet />
    </AppFrame>
  )
}
