import { base } from '@assay/account/api/base.ts'
import { buildPath } from '@assay/contract/client.ts'
import { exportTrajectories } from '@assay/contract/export.ts'
import { CopyMenuItem } from '@assay/ui/CopyMenuItem.tsx'
import { lazyDialog } from '@assay/ui/lazy-part.tsx'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconDownload, IconEyeCheck, IconLink, IconTestPipe } from '@tabler/icons-react'
import { hasFilters, type TraceSearch, toTraceFilters } from '../../parts/trace-search.ts'
import type { CurrentProject } from '../../shell/use-project.ts'
import type { MatchCount } from './count-matches.ts'

const EvaluateTracesDialog = lazyDialog(() =>
  import('./EvaluateTracesDialog.tsx').then((file) => file.EvaluateTracesDialog),
)

const ReviewTracesDialog = lazyDialog(() =>
  import('./ReviewTracesDialog.tsx').then((file) => file.ReviewTracesDialog),
)

interface Props {
  readonly access: CurrentProject
  readonly search: TraceSearch
  readonly matches: MatchCount | null
}

/** Actions on all traces that match the filters. */
export function MoreMenu({ access: { organization, project, can }, search, matches }: Props) {
  const evaluating = useDialog<null>()
  const reviewing = useDialog<null>()
  const scope = hasFilters(search) ? 'matching' : scopes[search.mode ?? 'live']
  return (
    <>
      <Menu width={230} position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label="More" title="More">
            <IconDots size={15} stroke={1.75} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <CopyMenuItem text={() => location.href} icon={<IconLink size={14} />}>
            Copy link
          </CopyMenuItem>
          {(can('run_agents') || can('manage_agents')) && (
            <Menu.Item
              leftSection={<IconTestPipe size={14} />}
              onClick={() => evaluating.open(null)}
            >
              Evaluate {scope} traces…
            </Menu.Item>
          )}
          {(can('run_agents') || can('manage_agents')) && (
            <Menu.Item
              leftSection={<IconEyeCheck size={14} />}
              onClick={() => reviewing.open(null)}
            >
              Review {scope} traces…
            </Menu.Item>
          )}
          {can('export_rl_data') && (
            <Menu.Item
              component="a"
              href={exportPath(project.id, search)}
              download="traces.jsonl"
              leftSection={<IconDownload size={14} />}
            >
              Export {scope} traces (JSONL)
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <EvaluateTracesDialog
        orgId={organization.id}
        projectId={project.id}
        search={search}
        matches={matches}
        dialog={evaluating}
      />
      <ReviewTracesDialog
        orgId={organization.id}
        projectId={project.id}
        search={search}
        dialog={reviewing}
      />
    </>
  )
}

const scopes = { live: 'live', simulation: 'simulated', all: 'all' } as const

function exportPath(projectId: string, search: TraceSearch): string {
  return base + buildPath(exportTrajectories, { projectId }, toTraceFilters(search, Date.now()))
}
