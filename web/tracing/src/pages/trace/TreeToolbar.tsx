import { ActionIcon, Button, TextInput } from '@mantine/core'
import {
  IconAlertTriangle,
  IconChevronDown,
  IconChevronUp,
  IconFold,
  IconFoldDown,
  IconSearch,
} from '@tabler/icons-react'
import { useMemo } from 'react'
import type { SpanTree } from './span-tree.ts'
import styles from './tree.module.css'
import { nextOf, placesOf, spansInError } from './tree-find.ts'
import { allClosed, type Folding, unfolded } from './tree-rows.ts'

interface Props {
  readonly tree: SpanTree
  readonly wanted: string
  readonly onWanted: (text: string) => void
  /** Positions of the spans the search found. */
  readonly named: readonly number[]
  readonly selectedId: string | undefined
  readonly onSelect: (spanId: string) => void
  readonly onFold: (folding: Folding) => void
}

/** Search, the next error, and folding of everything. */
export function TreeToolbar(props: Props) {
  const { tree, wanted, onWanted, named, selectedId, onSelect, onFold } = props
  const places = useMemo(() => placesOf(tree), [tree])
  const errors = useMemo(() => spansInError(tree), [tree])
  const here = selectedId === undefined ? undefined : tree.positionOf.get(selectedId)

  function go(found: readonly number[], step: 1 | -1): void {
    const span = tree.nodes[nextOf(found, places, here, step) ?? -1]?.span
    if (span !== undefined) onSelect(span.span_id)
  }

  const isSearching = wanted.trim() !== ''
  const place = here === undefined ? -1 : named.indexOf(here)
  return (
    <div className={styles.toolbar}>
      <TextInput
        size="xs"
        className={styles.search}
        placeholder="Search spans by name"
        aria-label="Search spans by name"
        leftSection={<IconSearch size={14} />}
        value={wanted}
        onChange={(event) => onWanted(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') go(named, event.shiftKey ? -1 : 1)
          if (event.key === 'Escape') onWanted('')
        }}
      />
      {isSearching && (
        <>
          <span className={styles.found} role="status">
            {named.length === 0 ? 'None' : `${place === -1 ? '–' : place + 1} of ${named.length}`}
          </span>
          <ActionIcon aria-label="Previous match" onClick={() => go(named, -1)}>
            <IconChevronUp size={15} />
          </ActionIcon>
          <ActionIcon aria-label="Next match" onClick={() => go(named, 1)}>
            <IconChevronDown size={15} />
          </ActionIcon>
        </>
      )}
      <span className={styles.gap} />
      {errors.length > 0 && (
        <Button
          variant="default"
          size="compact-xs"
          className={styles.tool}
          leftSection={<IconAlertTriangle size={13} className={styles.bad} />}
          onClick={() => go(errors, 1)}
        >
          Next error ({errors.length})
        </Button>
      )}
      <ActionIcon aria-label="Fold all" title="Fold all" onClick={() => onFold(allClosed(tree))}>
        <IconFold size={15} stroke={1.75} />
      </ActionIcon>
      <ActionIcon aria-label="Unfold all" title="Unfold all" onClick={() => onFold(unfolded)}>
        <IconFoldDown size={15} stroke={1.75} />
      </ActionIcon>
    </div>
  )
}
