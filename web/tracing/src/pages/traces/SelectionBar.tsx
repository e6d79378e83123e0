import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { limits } from '@assay/contract/limits.ts'
import type { Trace } from '@assay/contract/traces.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { formatCount } from '@assay/ui/number-format.ts'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { Button } from '@mantine/core'
import { IconArrowsDiff, IconDownload, IconTag, IconTrash, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useExportTraces } from '../../api/selected-traces.ts'
import type { CurrentProject } from '../../shell/use-project.ts'
import { changeTags } from './change-tags.ts'
import { RemoveTracesDialog } from './RemoveTracesDialog.tsx'
import { TagTracesDialog } from './TagTracesDialog.tsx'
import styles from './traces.module.css'
import type { SelectAll } from './use-select-all.ts'
import type { Selection } from './use-selection.ts'

interface Props {
  readonly access: CurrentProject
  readonly selection: Selection
  readonly selectAll: SelectAll
  readonly loaded: readonly Trace[]
  readonly onRemoved: (traceId: string) => void
  readonly onChanged: (traces: readonly Trace[]) => void
}

/** Actions for the selected traces; hidden without a selection. */
export function SelectionBar(props: Props) {
  const { access, selection, selectAll, loaded, onRemoved, onChanged } = props
  const { project, can } = access
  const { id: projectId } = project
  const removing = useDialog<readonly string[]>()
  const tagging = useDialog<readonly Trace[]>()
  const exporting = useExportTraces(projectId)
  const { traces, clear } = selection
  const ids = traces.map(({ trace_id }) => trace_id)
  const isTooMany = traces.length > limits.changedTraces.value
  const reason = isTooMany
    ? { disabled: true, title: `At most ${formatCount(limits.changedTraces.value)} at once` }
    : {}
  const byId = new Map(traces.map((trace) => [trace.trace_id, trace]))
  const [taggedCount, setTaggedCount] = useState(0)
  return (
    <>
      {traces.length > 0 && (
        <div className={styles.selection} role="region" aria-label="Selected traces">
          <p role="status">
            {countOf(traces.length, 'trace')} selected{formatUnloaded(traces, loaded)}
            {taggedCount > 0 && `. Tags of ${countOf(taggedCount, 'trace')} changed.`}
          </p>
          {selectAll.label !== undefined && (
            <Button variant="subtle" loading={selectAll.isLoading} onClick={selectAll.run}>
              {selectAll.label}
            </Button>
          )}
          <Compare projectId={projectId} ids={ids} />
          {(can('run_agents') || can('manage_agents')) && (
            <Button
              variant="default"
              leftSection={<IconTag size={14} />}
              onClick={() => {
                setTaggedCount(0)
                tagging.open(traces)
              }}
              {...reason}
            >
              Tags
            </Button>
          )}
          {can('export_rl_data') && (
            <Button
              variant="default"
              leftSection={<IconDownload size={14} />}
              loading={exporting.isPending}
              onClick={() => exporting.mutate(ids)}
              {...reason}
            >
              Export
            </Button>
          )}
          {can('manage_org_settings') && (
            <Button
              variant="default"
              leftSection={<IconTrash size={14} />}
              onClick={() => removing.open(ids)}
            >
              Delete
            </Button>
          )}
          <Button
            variant="subtle"
            leftSection={<IconX size={14} />}
            onClick={() => {
              setTaggedCount(0)
              clear()
            }}
          >
            Clear
          </Button>
          {exporting.isError && (
            <p className={styles.exportError} role="alert">
              Could not export. {exporting.error.message}
            </p>
          )}
        </div>
      )}
      <TagTracesDialog
        projectId={projectId}
        dialog={tagging}
        onTagged={(tagged, change) => {
          setTaggedCount(tagged.length)
          onChanged(
            tagged.flatMap((id) => byId.get(id) ?? []).map((one) => changeTags(one, change)),
          )
        }}
      />
      <RemoveTracesDialog projectId={projectId} dialog={removing} onRemoved={onRemoved} />
    </>
  )
}

/** The selection outlives a change of the filters. */
function formatUnloaded(selected: readonly Trace[], loaded: readonly Trace[]): string {
  const ids = new Set(loaded.map(({ trace_id }) => trace_id))
  const count = selected.filter(({ trace_id }) => !ids.has(trace_id)).length
  return count === 0 ? '' : `, ${formatCount(count)} of them not in the loaded rows`
}

function Compare({
  projectId,
  ids,
}: {
  readonly projectId: string
  readonly ids: readonly string[]
}) {
  const [a, b] = ids
  if (ids.length === 1) return <p className="dimmed">Select two to compare</p>
  if (a === undefined || b === undefined || ids.length > 2) return null
  return (
    <LinkButton
      to="/p/$projectId/compare"
      params={{ projectId }}
      search={{ a, b }}
      leftSection={<IconArrowsDiff size={14} />}
    >
      Compare
    </LinkButton>
  )
}
