import type { SavedView } from '@assay/contract/saved-views.ts'
import type { SharedView } from '@assay/contract/shared-views.ts'
import { lazyDialog } from '@assay/ui/lazy-part.tsx'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { ActionIcon, Button, Popover } from '@mantine/core'
import { IconBookmark, IconCheck, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { savedViewsQuery } from '../../api/saved-views.ts'
import { sharedViewsQuery } from '../../api/shared-views.ts'
import { hasFilters, type TraceSearch } from '../../parts/trace-search.ts'
import type { CurrentProject } from '../../shell/use-project.ts'
import styles from './menus.module.css'
import { findView, queryOfView, searchOfView } from './view-query.ts'

const SaveViewDialog = lazyDialog(() =>
  import('./SaveViewDialog.tsx').then((file) => file.SaveViewDialog),
)

const RemoveViewDialog = lazyDialog(() =>
  import('./RemoveViewDialog.tsx').then((file) => file.RemoveViewDialog),
)

interface Props {
  readonly access: CurrentProject
  readonly search: TraceSearch
  readonly onOpen: (search: TraceSearch) => void
}

type View = SavedView | SharedView

/** Opens, saves, shares and deletes views: those of the user, and those that the project shares. */
export function ViewMenu({ access: { project, can }, search, onOpen }: Props) {
  const { id: projectId } = project
  const [isOpen, setOpen] = useState(false)
  const own = useQuery(savedViewsQuery(projectId))
  // Not among the first requests of the page, where it has no view that could be named.
  const isWanted = isOpen || hasFilters(search)
  const shared = useQuery({ ...sharedViewsQuery(projectId), enabled: isWanted })
  const saving = useDialog<string>()
  const removing = useDialog<View>()
  const views = (own.data ?? []).filter(({ page }) => page === 'traces')
  const sharedViews = (shared.data ?? []).filter(({ page }) => page === 'traces')
  const current = findView<View>([...views, ...sharedViews], search)
  const canShare = can('manage_agents')
  const error = own.error ?? shared.error
  const isEmpty = views.length + sharedViews.length === 0

  const leave = (next: () => void) => () => {
    setOpen(false)
    next()
  }
  const actions = {
    current,
    onOpen: (view: View) => leave(() => onOpen(searchOfView(view)))(),
    onRemove: (view: View) => leave(() => removing.open(view))(),
  }
  return (
    <>
      <Popover
        opened={isOpen}
        onChange={setOpen}
        position="bottom-end"
        shadow="md"
        width={280}
        trapFocus
      >
        <Popover.Target>
          <Button
            variant="default"
            maw={200}
            classNames={{ label: styles.label ?? '', section: styles.icon ?? '' }}
            leftSection={<IconBookmark size={14} />}
            onClick={() => setOpen(!isOpen)}
          >
            {current?.name ?? 'Views'}
          </Button>
        </Popover.Target>
        <Popover.Dropdown className={styles.dropdown}>
          {(isEmpty || error !== null) && (
            <p className={styles.note}>
              {error !== null
                ? `Could not load the views. ${error.message}`
                : own.isPending || shared.isPending
                  ? 'Loading views…'
                  : 'Save the current filters and columns as a view.'}
            </p>
          )}
          <ViewList
            title="Shared in this project"
            views={sharedViews}
            canRemove={canShare}
            {...actions}
          />
          <ViewList title="Only visible to you" views={views} canRemove {...actions} />
          <Button variant="light" fullWidth onClick={leave(() => saving.open(queryOfView(search)))}>
            Save current view
          </Button>
        </Popover.Dropdown>
      </Popover>
      <SaveViewDialog {...{ projectId, views, sharedViews, canShare }} dialog={saving} />
      <RemoveViewDialog projectId={projectId} dialog={removing} />
    </>
  )
}

interface ListProps {
  readonly title: string
  readonly views: readonly View[]
  readonly current: View | undefined
  readonly canRemove: boolean
  readonly onOpen: (view: View) => void
  readonly onRemove: (view: View) => void
}

function ViewList({ title, views, current, canRemove, onOpen, onRemove }: ListProps) {
  if (views.length === 0) return null
  return (
    <section>
      <h2 className={styles.heading}>{title}</h2>
      <ul className={styles.list} aria-label={title}>
        {views.map((view) => (
          <li key={view.id} className={styles.item}>
            <button
              type="button"
              className={styles.view}
              title={titleOf(view)}
              aria-current={view === current || undefined}
              onClick={() => onOpen(view)}
            >
              <span className={styles.viewName}>{view.name}</span>
              {view === current && <IconCheck size={14} aria-hidden />}
            </button>
            {canRemove && (
              <ActionIcon
                size={22}
                aria-label={`Delete view ${view.name}`}
                onClick={() => onRemove(view)}
              >
                <IconTrash size={14} />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function titleOf(view: View): string {
  const sharer = 'created_by' in view ? view.created_by : null
  return sharer === null ? view.query : `${view.query} (shared by ${sharer})`
}
