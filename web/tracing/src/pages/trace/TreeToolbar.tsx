import { formatCount } from '@assay/ui/number-format.ts'
import { ActionIcon, Button, TextInput } from '@mantine/core'
import {
  IconAlertTriangle,
  IconChevronDown,
  IconChevronUp,
  IconCoins,
  IconFold,
  IconFoldDown,
  IconRoute,
  IconSearch,
} from '@tabler/icons-react'
import { useMemo } from 'react'
import type { CriticalPath } from '../../spans/critical-path.ts'
import type { SpanTree } from '../../spans/span-tree.ts'
import styles from './tree.module.css'
import { findNext, toDisplayOrder } from './tree-find.ts'
import { type CollapseState, collapseAll, expandAll } from './tree-rows.ts'
import type { ErrorNavigation } from './use-error-navigation.ts'

interface Props {
  readonly tree: SpanTree
  readonly searchText: string
  readonly onSearchText: (text: string) => void
  /** Positions of the matching spans. */
  readonly named: readonly number[]
  readonly selectedId: string | undefined
  readonly onSelect: (spanId: string) => void
  readonly onCollapse: (collapse: CollapseState) => void
  readonly errors: ErrorNavigation
  /** Undefined while hidden. */
  readonly path: CriticalPath | undefined
  readonly onPath: (isOn: boolean) => void
  /** Undefined if the trace has neither tokens nor cost. */
  readonly isUsageShown: boolean | undefined
  readonly onUsage: (isShown: boolean) => void
}

export function TreeToolbar(props: Props) {
  const {
    tree,
    searchText,
    onSearchText,
    named,
    selectedId,
    onSelect,
    onCollapse,
    errors,
    path,
    isUsageShown,
  } = props
  const places = useMemo(() => toDisplayOrder(tree), [tree])
  const here = selectedId === undefined ? undefined : tree.positionById.get(selectedId)

  function go(found: readonly number[], step: 1 | -1): void {
    const span = tree.nodes[findNext(found, places, here, step) ?? -1]?.span
    if (span !== undefined) onSelect(span.span_id)
  }

  const isSearching = searchText.trim() !== ''
  const place = here === undefined ? -1 : named.indexOf(here)
  return (
    <div className={styles.toolbar}>
      <TextInput
        size="xs"
        className={styles.search}
        placeholder="Search spans by name"
        aria-label="Search spans by name"
        leftSection={<IconSearch size={14} />}
        value={searchText}
        onChange={(event) => onSearchText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') go(named, event.shiftKey ? -1 : 1)
          if (event.key === 'Escape') onSearchText('')
        }}
      />
      {isSearching && (
        <>
          <span className={styles.matchCount} role="status">
            {named.length === 0
              ? 'No matches'
              : `${place === -1 ? '–' : place + 1} of ${named.length}`}
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
      {errors.count > 0 && (
        <Button
          variant="default"
          size="compact-xs"
          className={styles.tool}
          leftSection={<IconAlertTriangle size={13} className={styles.bad} />}
          title="Next error (E), previous error (Shift+E)"
          onClick={() => errors.go(1)}
        >
          Next error ({errors.place === undefined ? '' : `${formatCount(errors.place)} of `}
          {formatCount(errors.count)})
        </Button>
      )}
      <Button
        variant={path === undefined ? 'default' : 'light'}
        size="compact-xs"
        className={styles.tool}
        aria-pressed={path !== undefined}
        leftSection={<IconRoute size={13} />}
        title="Highlight the spans that determine the duration of the trace"
        onClick={() => props.onPath(path === undefined)}
      >
        Critical path{path !== undefined && ` (${formatCount(path.selfMs.size)})`}
      </Button>
      <span className={styles.icons}>
        {isUsageShown !== undefined && (
          <ActionIcon
            className={styles.usageSwitch}
            aria-label="Tokens and cost"
            title={isUsageShown ? 'Hide tokens and cost' : 'Show tokens and cost'}
            aria-pressed={isUsageShown}
            variant={isUsageShown ? 'light' : 'subtle'}
            onClick={() => props.onUsage(!isUsageShown)}
          >
            <IconCoins size={15} stroke={1.75} />
          </ActionIcon>
        )}
        <ActionIcon
          aria-label="Collapse all"
          title="Collapse all"
          onClick={() => onCollapse(collapseAll(tree))}
        >
          <IconFold size={15} stroke={1.75} />
        </ActionIcon>
        <ActionIcon
          aria-label="Expand all"
          title="Expand all"
          onClick={() => onCollapse(expandAll(tree))}
        >
          <IconFoldDown size={15} stroke={1.75} />
        </ActionIcon>
      </span>
    </div>
  )
}
