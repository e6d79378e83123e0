import { useTitle } from '@assay/account/shell/use-title.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { Snippet } from '@assay/ui/Snippet.tsx'
import { IconUsers } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { traceUsersQuery } from '../../api/trace-sessions.ts'
import { TraceGroupPage } from '../../trace-groups/TraceGroupPage.tsx'
import { traceGroupColumns } from '../../trace-groups/trace-group-columns.tsx'

const route = getRouteApi('/signed-in/p/$projectId/users')

export function UsersPage() {
  const { projectId } = route.useParams()
  useTitle('Users')
  const list = useInfiniteQuery(traceUsersQuery(projectId))
  return (
    <TraceGroupPage
      title="Users"
      lead="End users found in your traces."
      one="user"
      list={list}
      columns={columns}
      empty={
        <EmptyState
          icon={<IconUsers size={20} stroke={1.75} />}
          title="No users yet"
          actions={<Snippet text={'user.id = "customer-7"'} copyLabel="Copy attribute" />}
        >
          Set the attribute user.id on OpenTelemetry spans, or send user_id with a batch of spans.
        </EmptyState>
      }
    />
  )
}

const columns = traceGroupColumns('User', (id) => <UserLink id={id} />)

function UserLink({ id }: { readonly id: string }) {
  const { projectId } = route.useParams()
  return (
    <Link to="/p/$projectId/traces" params={{ projectId }} search={{ user_id: id, mode: 'all' }}>
      {id}
    </Link>
  )
}
