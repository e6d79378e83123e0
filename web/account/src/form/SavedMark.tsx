import { IconCheck } from '@tabler/icons-react'
import styles from './form.module.css'

interface Props {
  readonly isShown: boolean
  readonly children?: string
}

/** Confirms beside a button that its action succeeded. */
export function SavedMark({ isShown, children = 'Saved' }: Props) {
  return (
    <span role="status" className={styles.saved}>
      {isShown && (
        <>
          <IconCheck size={15} aria-hidden /> {children}
        </>
      )}
    </span>
  )
}
