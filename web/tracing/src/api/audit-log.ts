import { base } from '@assay/account/api/base.ts'
import type { AuditAction } from '@assay/contract/audit.ts'
import { type AuditLine, exportAuditLog, listAuditLog } from '@assay/contract/audit-log.ts'
import { buildPath, callWithMeta } from '@assay/contract/client.ts'
import { listPlatformAuditLog } from '@assay/contract/platform.ts'
import { infiniteQueryOptions } from '@tanstack/react-query'

export interface AuditFilters {
  readonly action?: AuditAction
  readonly actor?: string
  readonly from?: string
  readonly to?: string
}

/** The log of an organization, or of what belongs to none. */
export type AuditScope = { readonly orgId: string } | 'platform'

interface AuditPage {
  readonly lines: readonly AuditLine[]
  readonly nextCursor: string | null
  /** The filters of this page, with a fixed time range. */
  readonly filters: AuditFilters
}

interface PagePosition {
  readonly cursor?: string
  readonly filters?: AuditFilters
}

const first: PagePosition = {}

/** The audit log, newest first. `key` identifies the filters; `filtersAt` resolves a relative time range. */
export function auditLogQuery(
  scope: AuditScope,
  key: unknown,
  filtersAt: (nowMs: number) => AuditFilters,
) {
  return infiniteQueryOptions({
    queryKey: ['audit-log', scope, key],
    initialPageParam: first,
    queryFn: async ({ pageParam: { cursor, filters = filtersAt(Date.now()) }, signal }) => {
      const query = { ...filters, ...(cursor === undefined ? {} : { cursor }) }
      const { data, meta } = await (scope === 'platform'
        ? callWithMeta(base, listPlatformAuditLog, { query }, { signal })
        : callWithMeta(base, listAuditLog, { params: scope, query }, { signal }))
      return { lines: data, nextCursor: meta.cursor, filters } satisfies AuditPage
    },
    getNextPageParam: ({ nextCursor, filters }): PagePosition | undefined =>
      nextCursor === null ? undefined : { cursor: nextCursor, filters },
    select: ({ pages }) => pages.flatMap(({ lines }) => lines),
  })
}

/** The address to download the log of an organization from. */
export function auditExportUrl(orgId: string, filters: AuditFilters): string {
  return base + buildPath(exportAuditLog, { orgId }, { ...filters })
}
