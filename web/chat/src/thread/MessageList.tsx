import { ThreadPrimitive, useAuiState } from '@assistant-ui/react'
import { Button } from '@mantine/core'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { QuestionMessage } from './QuestionMessage.tsx'
import { ReplyMessage } from './ReplyMessage.tsx'
import styles from './thread.module.css'

interface Props {
  /** The element that scrolls. */
  readonly viewport: RefObject<HTMLElement | null>
  /** Of the branch, shown or not. */
  readonly total: number
  readonly onShowEarlier: () => void
}

const components = {
  UserMessage: QuestionMessage,
  AssistantMessage: ReplyMessage,
}

/** The end of the branch that is shown; earlier messages when they come near. */
export function MessageList({ viewport, total, onShowEarlier }: Props) {
  const count = useAuiState(({ thread }) => thread.messages.length)
  const hasEarlier = count > 0 && count < total
  const earlier = useRef<HTMLButtonElement>(null)
  useKeptPlace(viewport, count)
  useEffect(() => {
    if (!hasEarlier || earlier.current === null) return
    const showWhenNear = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) onShowEarlier()
      },
      { root: viewport.current, rootMargin: '600px 0px 0px' },
    )
    showWhenNear.observe(earlier.current)
    return () => showWhenNear.disconnect()
  }, [viewport, hasEarlier, count, onShowEarlier])
  return (
    <>
      {hasEarlier && (
        <Button ref={earlier} variant="subtle" className={styles.earlier} onClick={onShowEarlier}>
          Show earlier messages
        </Button>
      )}
      {/* oxlint-disable-next-line typescript/no-deprecated -- its replacement does not choose the editor of a message, and the version is pinned */}
      <ThreadPrimitive.Messages components={components} />
    </>
  )
}

/** Messages that are added above do not move those in view, also in Safari, which has no scroll anchoring. */
function useKeptPlace(viewport: RefObject<HTMLElement | null>, count: number): void {
  const height = useRef(0)
  const current = useRef(count)
  useLayoutEffect(() => {
    const { current: scrolled } = viewport
    if (scrolled === null || CSS.supports('overflow-anchor', 'auto')) return
    if (current.current !== count) {
      scrolled.scrollBy(0, scrolled.scrollHeight - height.current)
    }
    current.current = count
    height.current = scrolled.scrollHeight
  })
}
