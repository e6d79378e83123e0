import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { countOf } from '@assay/ui/count-of.ts'
import { lazyDialog } from '@assay/ui/lazy-part.tsx'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { Button } from '@mantine/core'
import { IconArrowsDiff, IconTrash, IconX } from '@tabler/icons-react'
import styles from './traces.module.css'
import type { Selection } from './use-selection.ts'

const RemoveTracesDialog = lazyDialog(() =>
  import('./RemoveTracesDialog.tsx').then((file) => file.RemoveTracesDialog),
)

interface Props {
  readonly projectId: string
  readonly selection: Selection
  readonly canRemove: boolean
  readonly onRemoved: (traceId: string) => void
}

/** Actions for the selected traces; hidden without a selection. */
export function SelectionBar({ projectId, selection, canRemove, onRemoved }: Props) {
  const removing = useDialog<readonly string[]>()
  const { traces, clear } = selection
  const [first, second] = traces
  return (
    <>
      {traces.length > 0 && (
        <div className={styles.selection} role="region" aria-label="Selected traces">
          <p role="status">{countOf(traces.length, 'trace')} selected</p>
          {first !== undefined && second !== undefined && traces.length === 2 ? (
            <LinkButton
              to="/p/$projectId/compare"
              params={{ projectId }}
              search={{ a: first.trace_id, b: second.trace_id }}
              leftSection={<IconArrowsDiff size={14} />}
            >
              Compare
            </LinkButton>
          ) : (
            <p className="dimmed">Select two to compare</p>
          )}
          {canRemove && (
            <Button
              variant="default"
              leftSection={<IconTrash size={14} />}
              onClick={() => removing.open(traces.map(({ trace_id }) => trace_id))}
            >
              Delete
            </Button>
          )}
          <Button variant="subtle" leftSection={<IconX size={14} />} onClick={clear}>
            Clear
          </Button>
        </div>
      )}
      <RemoveTracesDialog projectId={projectId} dialog={removing} onRemoved={onRemoved} />
    </>
  )
}
