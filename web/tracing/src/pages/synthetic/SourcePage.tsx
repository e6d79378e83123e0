import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { Button } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { PageHead } from '../../page/PageHead.tsx'
import { PermissionNote } from '../../page/PermissionNote.tsx'
import page from '../../page/page.module.css'
import { useProject } from '../../shell/use-project.ts'
import { LocalConfirm } from './LocalConfirm.tsx'
import { SourceForm } from './SourceForm.tsx'
import { SourceView } from './SourceView.tsx'
import { useSynthetic } from './synthetic-context.ts'

const route = getRouteApi('/signed-in/p/$projectId/synthetic/source')

/** The document that becomes an agent. */
export function SourcePage() {
  const { projectId } = route.useParams()
  const current = useProject()
  const { draft, clearDraft, writing, drafting } = useSynthetic()
  const clearing = useDialog<null>()
  const { source, synthesis } = draft
  const canRun = current.can('run_agents') || current.can('manage_agents')
  const hasWork = synthesis !== undefined || writing.isPending || drafting.isPending
  return (
    <div className={page.page}>
      <PageHead
        title="Source"
        lead="Turn a policy, a manual or a web page into an agent with tools, records and tasks. The source and its blueprint stay in this browser until you sign out."
        action={
          source !== undefined && (
            <div className={page.line}>
              <Button
                variant="default"
                onClick={() => (hasWork ? clearing.open(null) : clearDraft())}
              >
                Start over
              </Button>
              <LinkButton
                rightSection={<IconArrowRight size={14} />}
                to="/p/$projectId/synthetic/blueprint"
                params={{ projectId }}
              >
                Blueprint
              </LinkButton>
            </div>
          )
        }
      />
      <PermissionNote access={current} needs="run_agents" to="turn documents into agents" />
      {source === undefined ? canRun && <SourceForm /> : <SourceView source={source} />}
      <LocalConfirm
        dialog={clearing}
        title="Start over?"
        confirmLabel="Start over"
        onConfirm={clearDraft}
      >
        Removes the source, its blueprint and its scenarios from this browser. Download the
        blueprint first to keep it.
      </LocalConfirm>
    </div>
  )
}
