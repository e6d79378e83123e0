import { useTitle } from '@assay/account/shell/use-title.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { Snippet } from '@assay/ui/Snippet.tsx'
import { IconMessages } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { traceSessionsQuery } from '../../api/trace-sessions.ts'
import { TraceGroupPage } from '../../trace-groups/TraceGroupPage.tsx'
import { traceGroupColumns } from '../../trace-groups/trace-group-columns.tsx'

const route = getRouteApi('/signed-in/p/$projectId/sessions')

export function SessionsPage() {
  const { projectId } = route.useParams()
  useTitle('Sessions')
  const list = useInfiniteQuery(traceSessionsQuery(projectId))
  return (
    <TraceGroupPage
      title="Sessions"
      lead="Traces grouped by session ID."
      one="session"
      list={list}
      columns={columns}
      empty={
        <EmptyState
          icon={<IconMessages size={20} stroke={1.75} />}
          title="No sessions yet"
          actions={<Snippet text={'session.id = "chat-42"'} copyLabel="Copy attribute" />}
        >
          Set the attribute session.id or gen_ai.conversation.id on OpenTelemetry spans, or send
          session_id with a batch of spans.
        </EmptyState>
      }
    />
  )
}

const columns = traceGroupColumns('Session', (id) => <SessionLink id={id} />)

function SessionLink({ id }: { readonly id: string }) {
  const { projectId } = route.useParams()
  return (
    <Link to="/p/$projectId/sessions/$sessionId" params={{ projectId, sessionId: id }}>
      {id}
    </Link>
  )
}
