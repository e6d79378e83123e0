import { Button, CloseButton } from '@mantine/core'
import { formatTitle } from './conversation-title.ts'
import styles from './sidebar.module.css'
import type { Deletions } from './use-deletions.ts'

interface Props {
  readonly deletions: Deletions
  /** Called when a button here is about to go away with the focus. */
  readonly onLeave: () => void
}

/** What was deleted last, with a button that restores it. */
export function DeletionNotice({ deletions, onLeave }: Props) {
  const { last, problem, isRestoring, undo, dismiss } = deletions
  const isShown = last !== undefined || problem !== undefined
  return (
    <div role="status">
      {isShown && (
        <div className={styles.notice}>
          <span className={styles.noticeText}>
            {problem ?? (
              <>
                Deleted “<bdi>{last && formatTitle(last.conversation)}</bdi>”
              </>
            )}
          </span>
          {last !== undefined && (
            <Button
              key={last.conversation.id}
              variant="subtle"
              size="compact-xs"
              autoFocus
              loading={isRestoring}
              onClick={() => {
                undo()
                onLeave()
              }}
            >
              Undo
            </Button>
          )}
          <CloseButton
            size="sm"
            aria-label="Dismiss"
            onClick={() => {
              dismiss()
              onLeave()
            }}
          />
        </div>
      )}
    </div>
  )
}
