import type { Session } from '@assay/contract/profile.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { useNow } from '@assay/ui/use-now.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sessionsQuery, useEndOtherSessions, useEndSession } from '../../api/profile.ts'
import { ConfirmDialog } from '../../page/ConfirmDialog.tsx'
import styles from '../../page/page.module.css'
import { TwoLines } from '../../page/TwoLines.tsx'
import { formatUserAgent } from '../../parts/user-agent.ts'
import { RequestProblem } from '../../shell/RequestProblem.tsx'

/** Where the person is signed in, and the way to end it there. */
export function SessionList() {
  const sessions = useQuery(sessionsQuery)
  if (sessions.isPending) return <TableSkeleton rows={2} rowHeightPx={52} />
  if (sessions.isError) {
    return <RequestProblem error={sessions.error} onRetry={() => void sessions.refetch()} />
  }
  return <SessionTable sessions={sessions.data} />
}

function SessionTable({ sessions }: { readonly sessions: readonly Session[] }) {
  const nowMs = useNow(60_000)
  const ending = useEndSession()
  const others = sessions.filter(({ is_current }) => !is_current).length
  return (
    <>
      <div className={styles.line}>
        <p className={styles.note}>{countOf(sessions.length, 'session')}</p>
        {others > 0 && <EndOthers count={others} />}
      </div>
      <FormError message={ending.error?.message} />
      <div className={styles.scroller}>
        <table className={`${styles.table} ${styles.stacked}`}>
          <caption className="visually-hidden">Your sessions, last used first</caption>
          <thead>
            <tr>
              <th scope="col">Browser</th>
              <th scope="col" className={styles.wide}>
                Signed in
              </th>
              <th scope="col">Last used</th>
              <th scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {sessions.map((session) => (
              <tr key={session.id}>
                <td className={styles.tall}>
                  <Browser session={session} />
                </td>
                <td className={styles.wide}>
                  <TimeText at={session.created_at} nowMs={nowMs} />
                </td>
                <td>
                  {session.is_current ? (
                    <strong>This browser</strong>
                  ) : (
                    <TimeText at={session.last_seen_at} nowMs={nowMs} />
                  )}
                </td>
                <td className={styles.action}>
                  {!session.is_current && (
                    <Button
                      variant="subtle"
                      color="red"
                      size="compact-xs"
                      loading={ending.isPending && ending.variables === session.id}
                      aria-label={`End the session of ${formatUserAgent(session.user_agent) ?? 'a program'} at ${session.ip}`}
                      onClick={() => ending.mutate(session.id)}
                    >
                      End
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

function EndOthers({ count }: { readonly count: number }) {
  const [isDialogOpen, setDialogOpen] = useState(false)
  const ending = useEndOtherSessions()
  function leave(): void {
    ending.reset()
    setDialogOpen(false)
  }
  return (
    <>
      <Button variant="default" onClick={() => setDialogOpen(true)}>
        End all others
      </Button>
      <ConfirmDialog
        isOpen={isDialogOpen}
        title="End all other sessions?"
        confirmLabel="End them"
        error={ending.error?.message}
        isPending={ending.isPending}
        onConfirm={() => ending.mutate(undefined, { onSuccess: leave })}
        onClose={leave}
      >
        <p>
          {countOf(count, 'other browser')} {count === 1 ? 'is' : 'are'} signed out at once. This
          one stays signed in.
        </p>
      </ConfirmDialog>
    </>
  )
}

function Browser({ session }: { readonly session: Session }) {
  return (
    <TwoLines below={`${session.ip} · ${session.method === 'sso' ? 'single sign-on' : 'password'}`}>
      <span title={session.user_agent ?? undefined}>
        {formatUserAgent(session.user_agent) ?? 'A program without a name'}
      </span>
    </TwoLines>
  )
}
