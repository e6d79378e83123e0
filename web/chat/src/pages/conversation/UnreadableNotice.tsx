import { Alert, Anchor } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useProject } from '../../shell/use-project.ts'
import styles from './conversation.module.css'

/** Above the message field of a conversation with messages that are not sealed for this browser. */
export function UnreadableNotice() {
  const { organization, project } = useProject()
  const params = { orgSlug: organization.slug, projectSlug: project.slug }
  return (
    <Alert className={styles.notice} color="gray" p="xs" icon={<IconLock size={16} />} role="note">
      This browser cannot open all messages of this conversation, and the model does not get those.
      See what is missing under{' '}
      <Anchor
        renderRoot={(props) => (
          <Link to="/$orgSlug/$projectSlug/encryption" params={params} {...props} />
        )}
      >
        Encryption
      </Anchor>
      .
    </Alert>
  )
}
