import type { AuditLine } from '@assay/contract/audit-log.ts'
import type { Project } from '@assay/contract/organizations.ts'
import { TimeText } from '@assay/ui/TimeText.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { useNow } from '@assay/ui/use-now.ts'
import { Button } from '@mantine/core'
import { IconDownload, IconFilterOff, IconHistory } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { type AuditScope, auditLogQuery } from '../api/audit-log.ts'
import { ListPage } from '../page/ListPage.tsx'
import { TwoLines } from '../page/TwoLines.tsx'
import { formatUserAgent } from '../parts/user-agent.ts'
import { AuditFilterBar, type Person } from './AuditFilterBar.tsx'
import styles from './audit.module.css'
import { type DetailContext, formatAction, formatActor, formatDetails } from './audit-format.ts'
import { type AuditSearch, toAuditFilters } from './audit-search.ts'

interface Props {
  readonly scope: AuditScope
  readonly lead: string
  readonly search: AuditSearch
  /** The users to filter by. */
  readonly people: readonly Person[]
  /** The projects that entries can be about. */
  readonly projects?: readonly Project[]
  /** The address to download the filtered log from, if it can be downloaded. */
  readonly exportUrl?: (nowMs: number) => string
  readonly onSearch: (next: AuditSearch) => void
}

/** An audit log, newest first, with the filters in the address. */
export function AuditLog(props: Props) {
  const { scope, lead, search, people, projects = [], exportUrl, onSearch } = props
  const nowMs = useNow(60_000)
  const log = useInfiniteQuery({
    ...auditLogQuery(scope, search, (nowMs) => toAuditFilters(search, nowMs)),
    placeholderData: keepPreviousData,
  })
  const hasFilters = Object.keys(search).length > 0
  return (
    <ListPage
      title="Audit log"
      lead={lead}
      action={exportUrl !== undefined && <ExportButton url={exportUrl} hasFilters={hasFilters} />}
      filters={<AuditFilterBar scope={scope} search={search} people={people} onSearch={onSearch} />}
      rows={log}
      noun={['entry', 'entries']}
      isWide
      columns={columnsFor((actor) => onSearch({ ...search, actor }), {
        nowMs,
        projectNames: new Map(projects.map(({ id, name }) => [id, name])),
      })}
      rowKey={({ id }) => id}
      empty={
        hasFilters
          ? {
              Icon: IconFilterOff,
              title: 'No matching entries',
              text: 'Widen the time range or clear the filters.',
              action: (
                <Button variant="default" onClick={() => onSearch({})}>
                  Clear filters
                </Button>
              ),
            }
          : { Icon: IconHistory, title: 'No entries', text: 'Changes appear here.', action: null }
      }
    />
  )
}

interface ExportProps {
  readonly url: (nowMs: number) => string
  readonly hasFilters: boolean
}

function ExportButton({ url, hasFilters }: ExportProps) {
  const nowMs = useNow(60_000)
  return (
    <Button
      component="a"
      variant="default"
      href={url(nowMs)}
      download="audit-log.jsonl"
      leftSection={<IconDownload size={14} />}
      title="JSON lines, newest first"
    >
      {hasFilters ? 'Export results' : 'Export'}
    </Button>
  )
}

function columnsFor(
  onActor: (userId: string) => void,
  context: DetailContext,
): readonly Column<AuditLine>[] {
  return [
    {
      key: 'time',
      header: 'Time',
      width: 160,
      narrow: 'bare',
      cell: ({ at }) => <TimeText at={at} />,
    },
    {
      key: 'user',
      header: 'User',
      width: 250,
      narrow: 'bare',
      cell: ({ actor }) => {
        const { user_id: userId } = actor
        if (userId === null) return <span className="dimmed">{formatActor(actor)}</span>
        return (
          <button
            type="button"
            className={styles.actor}
            title="Filter by this user"
            onClick={() => onActor(userId)}
          >
            {formatActor(actor)}
          </button>
        )
      },
    },
    {
      key: 'action',
      header: 'Action',
      isRowHeader: true,
      cell: (line) => (
        <TwoLines below={formatDetails(line, context).join(' · ')}>
          {formatAction(line.action)}
        </TwoLines>
      ),
    },
    {
      key: 'source',
      header: 'From',
      width: 190,
      narrow: 'bare',
      cell: ({ client_address, user_agent, request_id }) => (
        <TwoLines below={formatUserAgent(user_agent)}>
          <span title={request_id === null ? undefined : `Request ${request_id}`}>
            {client_address}
          </span>
        </TwoLines>
      ),
    },
  ]
}
