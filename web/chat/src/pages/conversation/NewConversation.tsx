import { useProject } from '../../shell/use-project.ts'
import styles from './conversation.module.css'

/** What is shown before the first message. */
export function NewConversation() {
  const { organization, project } = useProject()
  return (
    <div className={styles.start}>
      <h1>New conversation</h1>
      <p>
        Messages that contain credentials or government identifiers are held back before they are
        sent. Each message and its reply are recorded as a trace
        {project.encrypted_history === 'off'
          ? `, which every member of ${organization.name} can read.`
          : ` in ${project.name}, without their texts if the conversation is encrypted.`}
      </p>
      <p className={styles.keys}>
        <kbd>Enter</kbd> sends, <kbd>Shift</kbd> <kbd>Enter</kbd> adds a line, <kbd>Esc</kbd> stops
        a reply.
      </p>
    </div>
  )
}
