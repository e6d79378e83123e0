import type { ReactNode } from 'react'
import type { Stats } from '../../api/stats.ts'
import styles from './dashboard.module.css'
import { GroupName } from './GroupName.tsx'
import type { Measure } from './measures.ts'
import { ranked, type Split, type StatsFilters, toGroups, toTraceSearch } from './stats-groups.ts'

interface Props {
  readonly projectId: string
  readonly stats: Stats
  readonly measure: Measure
  readonly filters: StatsFilters
  readonly split: Split
  readonly title: string
  readonly aside: ReactNode
}

const most = 12

/** A bar chart of groups; each links to its traces. */
export function SplitBars(props: Props) {
  const { projectId, stats, measure, filters, split, title, aside } = props
  const groups = ranked(toGroups(stats, split), measure).slice(0, most)
  const values = groups.map(({ aggregates }) => measure.of(aggregates))
  const greatest = Math.max(0, ...values.map((value) => value ?? 0))
  return (
    <section className={styles.card} aria-label={title}>
      <div className={styles.ownHead}>
        <h2 className={styles.cardTitle}>{title}</h2>
        {aside}
      </div>
      {groups.length === 0 && <p className={styles.none}>No data in this time range.</p>}
      <table className={styles.table}>
        <caption className="visually-hidden">{title}</caption>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{split}</th>
            <th scope="col">{measure.label}</th>
          </tr>
        </thead>
        <tbody>
          {groups.map(({ value }, place) => {
            const amount = values[place] ?? null
            const share = greatest === 0 ? 0 : (amount ?? 0) / greatest
            return (
              <tr key={value ?? ''}>
                <th scope="row" className={styles.named}>
                  <GroupName
                    {...{ projectId, value, share }}
                    search={toTraceSearch(split, value, stats, filters)}
                  />
                </th>
                <td className={styles.number}>{amount === null ? '—' : measure.format(amount)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}
