import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { IconSend } from '@tabler/icons-react'
import { LoadSampleButton } from '../../shell/LoadSampleButton.tsx'
import { useProject } from '../../shell/use-project.ts'

export function FirstRun({ projectId }: { readonly projectId: string }) {
  const current = useProject()
  return (
    <EmptyState
      icon={<IconSend size={20} stroke={1.75} />}
      title="No traces yet"
      actions={
        <>
          <LinkButton to="/p/$projectId/send" params={{ projectId }}>
            Send your first trace
          </LinkButton>
          {current !== undefined && <LoadSampleButton organization={current.organization} />}
        </>
      }
    >
      Send traces with any OpenTelemetry exporter or a single curl command. They appear here within
      a second.
    </EmptyState>
  )
}
