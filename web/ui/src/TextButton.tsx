import type { ComponentProps } from 'react'
import styles from './TextButton.module.css'

/** A button that looks like a link. */
export function TextButton(props: Omit<ComponentProps<'button'>, 'className' | 'type'>) {
  return <button type="button" className={styles.root} {...props} />
}
