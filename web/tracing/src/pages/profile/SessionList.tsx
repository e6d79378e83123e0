import type { Session } from '@assay/contract/profile.ts'
import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import { countOf } from '@assay/ui/count-of.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { DataTable } from '@assay/ui/table/DataTable.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { sessionsQuery, useEndOtherSessions, useEndSession } from '../../api/profile.ts'
import { TwoLines } from '../../page/TwoLines.tsx'
import { formatUserAgent } from '../../parts/user-agent.ts'

/** The active sessions of the person. */
export function SessionList() {
  const sessions = useQuery(sessionsQuery)
  const ending = useEndSession()
  const endingOthers = useDialog<number>()
  const others = sessions.data?.filter(({ is_current }) => !is_current).length ?? 0
  return (
    <>
      <FormError message={ending.error?.message} />
      <DataTable
        caption="Active sessions, last used first"
        rows={sessions}
        noun={['session', 'sessions']}
        columns={columns}
        rowKey={({ id }) => id}
        rowName={({ user_agent, ip }) =>
          `session of ${formatUserAgent(user_agent) ?? 'unknown client'} at ${ip}`
        }
        actions={({ id, is_current }) =>
          is_current
            ? []
            : [
                {
                  label: 'End',
                  isDanger: true,
                  isPending: ending.isPending && ending.variables === id,
                  onSelect: () => ending.mutate(id),
                },
              ]
        }
      />
      {others > 0 && (
        <div>
          <Button variant="default" onClick={() => endingOthers.open(others)}>
            End all other sessions
          </Button>
        </div>
      )}
      <ConfirmDialog
        dialog={endingOthers}
        mutation={useEndOtherSessions()}
        variables={() => undefined}
        title="End all other sessions?"
        confirmLabel="End sessions"
      >
        {(count) => (
          <p>{countOf(count, 'other session')} will end at once. This one stays signed in.</p>
        )}
      </ConfirmDialog>
    </>
  )
}

const columns: readonly Column<Session>[] = [
  {
    key: 'browser',
    header: 'Browser',
    cell: ({ user_agent, ip, method }) => (
      <TwoLines below={`${ip} · ${method === 'sso' ? 'single sign-on' : 'password'}`}>
        <span title={user_agent ?? undefined}>
          {formatUserAgent(user_agent) ?? 'Unknown client'}
        </span>
      </TwoLines>
    ),
  },
  {
    key: 'signed-in',
    header: 'Signed in',
    narrow: 'hidden',
    cell: ({ created_at }) => <TimeText at={created_at} />,
  },
  {
    key: 'last-used',
    header: 'Last used',
    cell: ({ is_current, last_seen_at }) =>
      is_current ? <strong>This browser</strong> : <TimeText at={last_seen_at} />,
  },
]
