import { IconCheck } from '@tabler/icons-react'
import styles from './page.module.css'

interface Props {
  readonly isShown: boolean
  readonly children?: string
}

/** Says beside a button that it has done its work. */
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
