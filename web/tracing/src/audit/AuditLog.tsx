import { countOf } from '@assay/ui/count-of.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { useNow } from '@assay/ui/use-now.ts'
import { Button } from '@mantine/core'
import { IconDownload, IconFilterOff, IconHistory } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { type AuditScope, auditLogQuery } from '../api/audit-log.ts'
import { MoreButton } from '../page/MoreButton.tsx'
import { PageHead } from '../page/PageHead.tsx'
import styles from '../page/page.module.css'
import { RequestProblem } from '../shell/RequestProblem.tsx'
import { AuditFilterBar, type Person } from './AuditFilterBar.tsx'
import { AuditTable } from './AuditTable.tsx'
import { type AuditSearch, auditFiltersOf } from './audit-search.ts'

interface Props {
  readonly scope: AuditScope
  readonly lead: string
  readonly search: AuditSearch
  /** Whom the log can be narrowed to. */
  readonly people: readonly Person[]
  /** Where the log as it is narrowed can be downloaded; undefined where it cannot. */
  readonly exportUrl?: (nowMs: number) => string
  readonly onSearch: (next: AuditSearch) => void
}

/** An audit log, newest first, as the address narrows it. */
export function AuditLog({ scope, lead, search, people, exportUrl, onSearch }: Props) {
  const log = useInfiniteQuery({
    ...auditLogQuery(scope, search, (nowMs) => auditFiltersOf(search, nowMs)),
    placeholderData: keepPreviousData,
  })
  const lines = log.data?.pages.flatMap((page) => page.lines) ?? []
  const hasFilters = Object.keys(search).length > 0
  return (
    <div className={styles.page}>
      <PageHead
        title="Audit log"
        lead={lead}
        action={exportUrl !== undefined && <ExportButton url={exportUrl} hasFilters={hasFilters} />}
      />
      <AuditFilterBar search={search} people={people} onSearch={onSearch} />
      {log.isPending ? (
        <TableSkeleton rows={8} rowHeightPx={52} />
      ) : log.isError && lines.length === 0 ? (
        <RequestProblem error={log.error} onRetry={() => void log.refetch()} />
      ) : lines.length === 0 ? (
        <Empty hasFilters={hasFilters} onClear={() => onSearch({})} />
      ) : (
        <>
          <p className={styles.count} role="status">
            {log.hasNextPage
              ? `${countOf(lines.length, 'entry', 'entries')} loaded, more below`
              : countOf(lines.length, 'entry', 'entries')}
          </p>
          <AuditTable
            lines={lines}
            isStale={log.isPlaceholderData}
            onActor={(actor) => onSearch({ ...search, actor })}
          />
          <MoreButton list={log} />
        </>
      )}
    </div>
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
      title="Lines of JSON, newest first"
    >
      {hasFilters ? 'Export what is found' : 'Export'}
    </Button>
  )
}

interface EmptyProps {
  readonly hasFilters: boolean
  readonly onClear: () => void
}

function Empty({ hasFilters, onClear }: EmptyProps) {
  if (!hasFilters) {
    return (
      <EmptyState icon={<IconHistory size={20} stroke={1.75} />} title="Nothing yet">
        What people change from now on is listed here.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={<IconFilterOff size={20} stroke={1.75} />}
      title="No entry matches"
      actions={
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      }
    >
      Nothing fits all filters. Widen the time range or clear them.
    </EmptyState>
  )
}
