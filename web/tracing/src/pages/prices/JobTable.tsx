import type { Repricing } from '@assay/contract/repricing.ts'
import { formatCount } from '@assay/ui/number-format.ts'
import { StatusMark } from '@assay/ui/StatusMark.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { useNow } from '@assay/ui/use-now.ts'
import page from '../../page/page.module.css'
import { TwoLines } from '../../page/TwoLines.tsx'
import styles from './prices.module.css'
import { earliestStart, formatCostDifference, percentDone } from './repricing-format.ts'

/** When the project was priced anew, and what came of it. */
export function JobTable({ jobs }: { readonly jobs: readonly Repricing[] }) {
  const nowMs = useNow(10_000)
  if (jobs.length === 0) return <p className={page.note}>This project was never priced anew.</p>
  return (
    <div className={styles.scroller}>
      <table className={styles.table}>
        <caption className="visually-hidden">History of pricing anew</caption>
        <thead>
          <tr>
            <th scope="col">Begun</th>
            <th scope="col">Calls of</th>
            <th scope="col">State</th>
            <th scope="col" className={styles.number}>
              Changed
            </th>
            <th scope="col" className={styles.number}>
              Difference
            </th>
          </tr>
        </thead>
        <tbody>
          {jobs.map((job) => (
            <tr key={job.id}>
              <td>
                <TimeText at={job.created_at} nowMs={nowMs} withAge />
              </td>
              <td>
                {job.from === earliestStart ? (
                  'the beginning'
                ) : (
                  <TimeText at={job.from} nowMs={nowMs} />
                )}{' '}
                until <TimeText at={job.to} nowMs={nowMs} />
              </td>
              <td>
                <State job={job} />
              </td>
              <td className={styles.number} data-label="Changed">
                {formatCount(job.spans_changed)} of {formatCount(job.spans_examined)}
              </td>
              <td className={styles.number} data-label="Difference">
                {formatCostDifference(job.cost_before_usd, job.cost_after_usd)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function State({ job }: { readonly job: Repricing }) {
  switch (job.state) {
    case 'completed':
      return <StatusMark isError={false} word="Done" />
    case 'failed':
      return (
        <TwoLines below={job.problem ?? ''}>
          <StatusMark isError word="Failed" />
        </TwoLines>
      )
    case 'cancelled':
      return `Stopped at ${percentDone(job)}%`
    case 'running':
      return `Running, ${percentDone(job)}%`
    case 'preview':
      return 'Preview'
  }
}
