import { sessionQuery } from '@assay/account/api/session.ts'
import { productLink } from '@assay/account/session-transfer/transfer-links.ts'
import type { Trace } from '@assay/contract/traces.ts'
import { useQuery } from '@tanstack/react-query'
import { useProjectOfAddress } from '../../shell/use-project.ts'

/** The address of the conversation whose turn the trace is. Undefined unless the person can open it: it is theirs alone. */
export function useConversationLink({ service, user_id, session_id }: Trace): string | undefined {
  const { data: session } = useQuery(sessionQuery)
  const found = useProjectOfAddress()
  if (session === undefined || found === undefined || session_id === null) return undefined
  if (service !== 'chat' || user_id !== session.user.id) return undefined
  const { organization, project } = found
  const path = `/${organization.slug}/${project.slug}/c/${encodeURIComponent(session_id)}`
  return productLink(session.products.chat, path)
}
