import styles from './conversation.module.css'

interface Props {
  readonly projectName: string
}

/** What is shown before the first message. */
export function NewConversation({ projectName }: Props) {
  return (
    <div className={styles.start}>
      <h1>New conversation</h1>
      <p>
        Messages that contain credentials or government identifiers are held back before they are
        sent. Each reply is recorded as a trace in the project {projectName}.
      </p>
      <p className={styles.keys}>
        <kbd>Enter</kbd> sends, <kbd>Shift</kbd> <kbd>Enter</kbd> adds a line, <kbd>Esc</kbd> stops
        a reply.
      </p>
    </div>
  )
}
