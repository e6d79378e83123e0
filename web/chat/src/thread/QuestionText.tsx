import { TextButton } from '@assay/ui/TextButton.tsx'
import { useSyncExternalStore } from 'react'
import styles from './thread.module.css'
import { useThreadContext } from './thread-context.ts'

/** What is folded is higher than 16rem in all widths. */
const foldedFrom = { characters: 2500, lines: 20 } as const

interface Props {
  readonly messageId: string
  readonly text: string
}

/** The text of a message. A long one is folded, so that its reply is not far away. */
export function QuestionText({ messageId, text }: Props) {
  const { thread } = useThreadContext()
  const isLong = text.length > foldedFrom.characters || text.split('\n').length > foldedFrom.lines
  const isOpen = useSyncExternalStore(thread.subscribe, () =>
    thread.getState().expanded.has(messageId),
  )
  return (
    <>
      <div className={styles.questionText} data-folded={isLong && !isOpen}>
        {text}
      </div>
      {isLong && (
        <span className={styles.fold}>
          <TextButton aria-expanded={isOpen} onClick={() => thread.setExpanded(messageId, !isOpen)}>
            {isOpen ? 'Show less' : 'Show all'}
          </TextButton>
        </span>
      )}
    </>
  )
}
