import { buildPath } from '@assay/contract/client.ts'
import { exportTrajectories } from '@assay/contract/export.ts'
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconDownload, IconLink } from '@tabler/icons-react'
import { base } from '../../api/base.ts'
import { hasFilters, type TraceSearch, toTraceFilters } from './trace-search.ts'

interface Props {
  readonly projectId: string
  readonly search: TraceSearch
  readonly canExport: boolean
}

export function MoreMenu({ projectId, search, canExport }: Props) {
  return (
    <Menu width={230} position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={30} aria-label="More" title="More">
          <IconDots size={15} stroke={1.75} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconLink size={14} />}
          onClick={() => void navigator.clipboard.writeText(location.href)}
        >
          Copy link
        </Menu.Item>
        {canExport && (
          <Menu.Item
            component="a"
            href={exportPath(projectId, search)}
            download="traces.jsonl"
            leftSection={<IconDownload size={14} />}
          >
            Export {hasFilters(search) ? 'matching' : 'all'} traces (JSONL)
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

function exportPath(projectId: string, search: TraceSearch): string {
  return base + buildPath(exportTrajectories, { projectId }, toTraceFilters(search, Date.now()))
}
