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
        In {projectName}. Credentials and government identifiers are held back before anything is
        sent. Each reply is recorded as a trace of the project.
      </p>
      <p className={styles.keys}>
        <kbd>Enter</kbd> sends, <kbd>Shift</kbd> <kbd>Enter</kbd> begins a line, <kbd>Esc</kbd>{' '}
        stops a reply.
      </p>
    </div>
  )
}
