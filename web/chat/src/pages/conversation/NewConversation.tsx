import { Alert } from '@mantine/core'
import { IconLockOpen } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { describeMissingKeys, missingKeysQuery } from '../../api/missing-keys.ts'
import { useEncryptionPlace } from '../../shell/use-encryption-place.ts'
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
      {project.encrypted_history === 'optional' && <NotEncrypted />}
      <p className={styles.keys}>
        <kbd>Enter</kbd> sends, <kbd>Shift</kbd> <kbd>Enter</kbd> adds a line, <kbd>Esc</kbd> stops
        a reply.
      </p>
    </div>
  )
}

/** Of a browser without keys, where the person encrypts conversations in others. */
function NotEncrypted() {
  const { organization, project } = useProject()
  const place = useEncryptionPlace({ organization, project })
  const { data: missing } = useQuery(missingKeysQuery(place))
  if (!missing) return null
  return (
    <Alert className={styles.notice} color="yellow" p="xs" icon={<IconLockOpen size={16} />}>
      {describeMissingKeys(missing)} To encrypt them,{' '}
      <Link
        to="/$orgSlug/$projectSlug/encryption"
        params={{ orgSlug: organization.slug, projectSlug: project.slug }}
      >
        enroll this browser
      </Link>{' '}
      with your recovery code.
    </Alert>
  )
}
