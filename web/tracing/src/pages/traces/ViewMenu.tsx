import type { SavedView } from '@assay/contract/saved-views.ts'
import { lazyDialog } from '@assay/ui/lazy-part.tsx'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { ActionIcon, Button, Popover } from '@mantine/core'
import { IconBookmark, IconCheck, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { savedViewsQuery } from '../../api/saved-views.ts'
import type { TraceSearch } from '../../parts/trace-search.ts'
import styles from './menus.module.css'
import { findView, queryOfView, searchOfView } from './view-query.ts'

const SaveViewDialog = lazyDialog(() =>
  import('./SaveViewDialog.tsx').then((file) => file.SaveViewDialog),
)

const RemoveViewDialog = lazyDialog(() =>
  import('./RemoveViewDialog.tsx').then((file) => file.RemoveViewDialog),
)

interface Props {
  readonly projectId: string
  readonly search: TraceSearch
  readonly onOpen: (search: TraceSearch) => void
}

/** Opens, saves and deletes the user's saved views. */
export function ViewMenu({ projectId, search, onOpen }: Props) {
  const { data: views = [], error, isPending } = useQuery(savedViewsQuery(projectId))
  const [isOpen, setOpen] = useState(false)
  const saving = useDialog<string>()
  const removing = useDialog<SavedView>()
  const current = findView(views, search)
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
          {views.length === 0 && (
            <p className={styles.note}>
              {error !== null
                ? `Could not load your views. ${error.message}`
                : isPending
                  ? 'Loading views…'
                  : 'Save the current filters and columns as a view. Views are visible only to you.'}
            </p>
          )}
          {views.length > 0 && (
            <ul className={styles.list} aria-label="Saved views">
              {views.map((view) => (
                <li key={view.id} className={styles.item}>
                  <button
                    type="button"
                    className={styles.view}
                    title={view.query}
                    aria-current={view === current || undefined}
                    onClick={() => {
                      setOpen(false)
                      onOpen(searchOfView(view))
                    }}
                  >
                    <span className={styles.viewName}>{view.name}</span>
                    {view === current && <IconCheck size={14} aria-hidden />}
                  </button>
                  <ActionIcon
                    size={22}
                    aria-label={`Delete view ${view.name}`}
                    onClick={() => {
                      setOpen(false)
                      removing.open(view)
                    }}
                  >
                    <IconTrash size={14} />
                  </ActionIcon>
                </li>
              ))}
            </ul>
          )}
          <Button
            variant="light"
            fullWidth
            onClick={() => {
              setOpen(false)
              saving.open(queryOfView(search))
            }}
          >
            Save current view
          </Button>
        </Popover.Dropdown>
      </Popover>
      <SaveViewDialog projectId={projectId} views={views} dialog={saving} />
      <RemoveViewDialog projectId={projectId} dialog={removing} />
    </>
  )
}
