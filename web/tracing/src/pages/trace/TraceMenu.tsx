import type { Trace } from '@assay/contract/traces.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { ActionIcon, Menu } from '@mantine/core'
import { IconArrowsDiff, IconDots, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useRemoveTrace } from '../../api/remove-trace.ts'
import { ConfirmDialog } from '../../page/ConfirmDialog.tsx'
import { useProject } from '../../shell/use-project.ts'
import { CompareDialog } from './CompareDialog.tsx'

interface Props {
  readonly trace: Trace
}

export function TraceMenu({ trace }: Props) {
  const [dialog, setDialog] = useState<'compare' | 'remove'>()
  const canRemove = useProject()?.can('manage_org_settings') === true
  const removing = useRemoveTrace(trace.project_id)
  const navigate = useNavigate()
  function leave(): void {
    removing.reset()
    setDialog(undefined)
  }
  function remove(): void {
    removing.mutate(trace.trace_id, {
      onSuccess: () =>
        void navigate({ to: '/p/$projectId/traces', params: { projectId: trace.project_id } }),
    })
  }
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
            onClick={() => setDialog('compare')}
          >
            Compare with…
          </Menu.Item>
          {canRemove && (
            <Menu.Item
              color="red"
              leftSection={<IconTrash size={15} />}
              onClick={() => setDialog('remove')}
            >
              Delete trace…
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <CompareDialog trace={trace} isOpen={dialog === 'compare'} onClose={leave} />
      <ConfirmDialog
        isOpen={dialog === 'remove'}
        title="Delete this trace?"
        confirmLabel="Delete trace"
        error={removing.error?.message}
        isPending={removing.isPending}
        onConfirm={remove}
        onClose={leave}
      >
        <p>
          This permanently deletes <strong>{trace.root_name || trace.trace_id}</strong> with{' '}
          {countOf(trace.span_count, 'span')}, its comments and its scores. This can't be undone.
        </p>
      </ConfirmDialog>
    </>
  )
}
