import { RequestProblem } from '@assay/account/shell/RequestProblem.tsx'
import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useProject } from '../../shell/use-project.ts'
import { readDraft, saveDraft } from '../../thread/draft-text.ts'

interface Props {
  readonly error: Error
  /** Of the conversation, for its draft. */
  readonly draftKey: string
  /** Of a new conversation. */
  readonly newDraftKey: string
  /** A message that could not be sent because the conversation was deleted. */
  readonly unsent: string | undefined
}

/** Says that a conversation does not exist. What a person has written for it can go into a new one. */
export function MissingConversation({ error, draftKey, newDraftKey, unsent }: Props) {
  const { organization, project } = useProject()
  const navigate = useNavigate()
  const text = unsent ?? readDraft(draftKey)
  function begin(): void {
    saveDraft(newDraftKey, [readDraft(newDraftKey), text].filter((one) => one !== '').join('\n\n'))
    saveDraft(draftKey, '')
    const params = { orgSlug: organization.slug, projectSlug: project.slug }
    void navigate({ to: '/$orgSlug/$projectSlug', params })
  }
  return (
    <RequestProblem
      isPage
      error={error}
      actions={
        text !== '' && <Button onClick={begin}>Move your message to a new conversation</Button>
      }
    />
  )
}
