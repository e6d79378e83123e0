import styles from './code-text.module.css'

interface Props {
  readonly text: string
}

/** Text in which backticks mark code. */
export function CodeText({ text }: Props) {
  return text.split('`').map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity, and no state
      <code key={index} className={styles.code}>
        {part}
      </code>
    ) : (
      part
    ),
  )
}
