import { TextButton } from '@assay/ui/TextButton.tsx'
import { useState } from 'react'
import styles from './thread.module.css'

/** What is folded is higher than 16rem in all widths. */
const foldedFrom = { characters: 2500, lines: 20 } as const

/** The text of a message. A long one is folded, so that its reply is not far away. */
export function QuestionText({ text }: { readonly text: string }) {
  const isLong = text.length > foldedFrom.characters || text.split('\n').length > foldedFrom.lines
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <div className={styles.questionText} data-folded={isLong && !isOpen}>
        {text}
      </div>
      {isLong && (
        <span className={styles.fold}>
          <TextButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Show less' : 'Show all'}
          </TextButton>
        </span>
      )}
    </>
  )
}
