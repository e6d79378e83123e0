import { formatBytes, formatCount, unknown } from '@assay/ui/number-format.ts'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { useNow } from '@assay/ui/use-now.ts'
import type { StorageUsed } from '../../api/storage.ts'
import page from '../../page/page.module.css'
import styles from './storage.module.css'

const signals = [
  ['Traces', 'traces'],
  ['Spans', 'spans'],
  ['Metric points', 'metric_points'],
  ['Log records', 'log_records'],
] as const

/** How much of each signal is stored, and from when. */
export function StorageTable({ used }: { readonly used: StorageUsed }) {
  const nowMs = useNow(60_000)
  const time = (at: string | null) => (at === null ? unknown : <TimeText at={at} nowMs={nowMs} />)
  const bytes = signals.reduce((sum, [, name]) => sum + used[name].bytes, 0)
  return (
    <>
      <p className={page.count}>
        About {formatBytes(bytes)}, estimated from a sample
        {used.deployment_bytes !== null &&
          `; the files of all projects together take ${formatBytes(used.deployment_bytes)}`}
        .
      </p>
      <div className={page.scroller}>
        <table className={page.table}>
          <caption className="visually-hidden">What is stored</caption>
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col" className={styles.number}>
                Count
              </th>
              <th scope="col" className={styles.number}>
                About
              </th>
              <th scope="col" className={page.wide}>
                Oldest
              </th>
              <th scope="col" className={page.wide}>
                Newest
              </th>
            </tr>
          </thead>
          <tbody>
            {signals.map(([word, name]) => (
              <tr key={name}>
                <td>{word}</td>
                <td className={styles.number}>{formatCount(used[name].count)}</td>
                <td className={styles.number}>{formatBytes(used[name].bytes)}</td>
                <td className={page.wide}>{time(used[name].oldest_at)}</td>
                <td className={page.wide}>{time(used[name].newest_at)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
