import styles from './json.module.css'
import { formatCount } from './number-format.ts'
import { TextButton } from './TextButton.tsx'
import type { Reveal } from './use-reveal.ts'

interface Props {
  readonly reveal: Reveal
  /** Plural: `characters`. */
  readonly noun: string
}

/** What is left to show, with the buttons that show it; nothing when all is shown. */
export function RevealMore({ reveal, noun }: Props) {
  const { count, total, step, isRunning, showMore, showAll, stop } = reveal
  if (count >= total) return null
  const shown = `${formatCount(count)} of ${formatCount(total)} ${noun}`
  if (isRunning) {
    return (
      <span className={styles.reveal}>
        {shown} <TextButton onClick={stop}>Stop</TextButton>
      </span>
    )
  }
  if (total - count <= step) {
    return (
      <span className={styles.reveal}>
        <TextButton onClick={showMore}>{`Show all ${formatCount(total)} ${noun}`}</TextButton>
      </span>
    )
  }
  return (
    <span className={styles.reveal}>
      {shown} <TextButton onClick={showMore}>{`Show ${formatCount(step)} more`}</TextButton>
      <TextButton onClick={showAll}>Show all</TextButton>
    </span>
  )
}
