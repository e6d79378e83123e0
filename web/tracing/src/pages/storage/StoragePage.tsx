import { formatBytes, formatCount, unknown } from '@assay/ui/number-format.ts'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { DataTable } from '@assay/ui/table/DataTable.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { useQuery } from '@tanstack/react-query'
import { type StorageUsed, storageQuery } from '../../api/storage.ts'
import { PageHead } from '../../page/PageHead.tsx'
import { PermissionNote } from '../../page/PermissionNote.tsx'
import page from '../../page/page.module.css'
import { useProject } from '../../shell/use-project.ts'
import { EncryptedHistoryForm } from './EncryptedHistoryForm.tsx'
import { RetentionForm } from './RetentionForm.tsx'

/** The stored telemetry of a project, and its retention. */
export function StoragePage() {
  const current = useProject()
  const { project, can } = current
  const used = useQuery(storageQuery(project.id))
  const rows = used.data && signals.map(([label, name]) => ({ label, ...used.data[name] }))
  return (
    <div className={page.page}>
      <PageHead title="Storage" lead="Stored telemetry of this project, and its retention." />
      {used.data !== undefined && <TotalSize used={used.data} />}
      <DataTable
        caption="Stored telemetry"
        rows={{ ...used, data: rows }}
        columns={columns}
        rowKey={({ label }) => label}
      />
      <section className={page.section}>
        <h2 className={page.heading}>Retention</h2>
        <PermissionNote access={current} needs="manage_org_settings" to="change the retention" />
        <RetentionForm
          project={project}
          retention={used.data?.retention}
          canChange={can('manage_org_settings')}
        />
      </section>
      <section className={page.section}>
        <h2 className={page.heading}>Encrypted chat history</h2>
        <EncryptedHistoryForm project={project} canChange={can('manage_org_settings')} />
      </section>
    </div>
  )
}

const signals = [
  ['Traces', 'traces'],
  ['Spans', 'spans'],
  ['Metric points', 'metric_points'],
  ['Log records', 'log_records'],
] as const

type Signal = StorageUsed['traces'] & { readonly label: string }

const columns: readonly Column<Signal>[] = [
  { key: 'signal', header: 'Signal', cell: ({ label }) => label },
  { key: 'count', header: 'Count', align: 'end', cell: ({ count }) => formatCount(count) },
  { key: 'size', header: 'Estimated size', align: 'end', cell: ({ bytes }) => formatBytes(bytes) },
  {
    key: 'oldest',
    header: 'Oldest',
    cell: ({ oldest_at }) => <At at={oldest_at} />,
  },
  {
    key: 'newest',
    header: 'Newest',
    cell: ({ newest_at }) => <At at={newest_at} />,
  },
]

function At({ at }: { readonly at: string | null }) {
  return at === null ? unknown : <TimeText at={at} />
}

function TotalSize({ used }: { readonly used: StorageUsed }) {
  const bytes = signals.reduce((sum, [, name]) => sum + used[name].bytes, 0)
  return (
    <p className={page.count}>
      {bytes === 0
        ? 'Nothing stored yet.'
        : `About ${formatBytes(bytes)}, estimated from a sample.`}
      {used.deployment_bytes !== null &&
        ` All projects together take ${formatBytes(used.deployment_bytes)}.`}
    </p>
  )
}
