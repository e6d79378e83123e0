import type { Trace } from '@assay/contract/traces.ts'
import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import { CopyMenuItem } from '@assay/ui/CopyMenuItem.tsx'
import { countOf } from '@assay/ui/count-of.ts'
import { lazyOverlay } from '@assay/ui/lazy-part.tsx'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { ActionIcon, Menu } from '@mantine/core'
import {
  IconArrowsDiff,
  IconCopy,
  IconDots,
  IconDownload,
  IconLink,
  IconTrash,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useRemoveTrace } from '../../api/remove-trace.ts'
import { findListOf } from '../../parts/last-list.ts'
import { useProject } from '../../shell/use-project.ts'

const CompareDialog = lazyOverlay(() =>
  import('./CompareDialog.tsx').then((file) => file.CompareDialog),
)

interface Props {
  readonly trace: Trace
  readonly onDownload: () => void
}

export function TraceMenu({ trace, onDownload }: Props) {
  const comparing = useDialog<null>()
  const removing = useDialog<Trace>()
  const canRemove = useProject()?.can('manage_org_settings') === true
  const navigate = useNavigate()
  const mutation = useRemoveTrace(trace.project_id, () =>
    navigate({
      to: '/p/$projectId/traces',
      params: { projectId: trace.project_id },
      search: findListOf(trace),
    }),
  )
  return (
    <>
      <Menu position="bottom-end" width={210}>
        <Menu.Target>
          <ActionIcon variant="default" aria-label="More actions">
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconArrowsDiff size={15} />}
            onClick={() => comparing.open(null)}
          >
            Compare with…
          </Menu.Item>
          <CopyMenuItem text={() => location.href} icon={<IconLink size={15} />}>
            Copy link
          </CopyMenuItem>
          <CopyMenuItem text={() => trace.trace_id} icon={<IconCopy size={15} />}>
            Copy trace ID
          </CopyMenuItem>
          <Menu.Item leftSection={<IconDownload size={15} />} onClick={onDownload}>
            Download JSON
          </Menu.Item>
          {canRemove && (
            <Menu.Item
              color="red"
              leftSection={<IconTrash size={15} />}
              onClick={() => removing.open(trace)}
            >
              Delete trace…
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <CompareDialog trace={trace} isOpen={comparing.isOpen} onClose={comparing.close} />
      <ConfirmDialog
        dialog={removing}
        mutation={mutation}
        variables={({ trace_id }) => trace_id}
        title="Delete this trace?"
        confirmLabel="Delete trace"
      >
        <p>
          This permanently deletes <strong>{trace.root_name || trace.trace_id}</strong> with{' '}
          {countOf(trace.span_count, 'span')} and its comments. This can't be undone.
        </p>
      </ConfirmDialog>
    </>
  )
}
