import { ActionIcon } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { siblingsOf } from './message-tree.ts'
import styles from './thread.module.css'
import { useThreadContext } from './thread-context.ts'
import { useThreadState } from './use-thread-runtime.ts'

interface Props {
  readonly messageId: string
}

/** Steps through the versions of a message, also while a reply is written. */
export function BranchPicker({ messageId }: Props) {
  const { thread } = useThreadContext()
  const { tree, steppedTo } = useThreadState(thread)
  const versions = siblingsOf(tree, messageId)
  const place = versions.findIndex(({ id }) => id === messageId)
  if (versions.length < 2) return null
  const [previous, next] = [versions[place - 1], versions[place + 1]]
  // The picker of the other version takes over the focus of this one.
  const focused = steppedTo?.id === messageId ? steppedTo.step : 0
  return (
    <div
      className={styles.branches}
      role="group"
      aria-label={`Version ${place + 1} of ${versions.length}`}
    >
      <ActionIcon
        size="sm"
        aria-label="Previous version"
        title="Previous version"
        disabled={previous === undefined}
        autoFocus={previous !== undefined && (focused < 0 || (focused > 0 && next === undefined))}
        onClick={() => previous && thread.select(previous.id, -1)}
      >
        <IconChevronLeft size={14} />
      </ActionIcon>
      <span className="number">
        {place + 1} of {versions.length}
      </span>
      <ActionIcon
        size="sm"
        aria-label="Next version"
        title="Next version"
        disabled={next === undefined}
        autoFocus={next !== undefined && (focused > 0 || (focused < 0 && previous === undefined))}
        onClick={() => next && thread.select(next.id, 1)}
      >
        <IconChevronRight size={14} />
      </ActionIcon>
    </div>
  )
}
