import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { ChartLegend } from './ChartLegend.tsx'
import { ChartPlot } from './ChartPlot.tsx'
import { ChartTable } from './ChartTable.tsx'
import styles from './chart.module.css'
import type { ChartProps } from './chart-props.ts'

/** Time series as a drawing or as a table. */
export function Chart(props: ChartProps) {
  const { title, series, aside } = props
  const [isTable, setTable] = useState(false)
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  return (
    <figure className={styles.root} aria-label={title}>
      <figcaption className={styles.head}>
        <h2 className={styles.title}>{title}</h2>
        {aside}
        <SegmentedControl
          size="xs"
          className={styles.form}
          aria-label={`${title} as`}
          data={[
            { value: 'chart', label: 'Chart' },
            { value: 'table', label: 'Table' },
          ]}
          value={isTable ? 'table' : 'chart'}
          onChange={(value) => setTable(value === 'table')}
        />
      </figcaption>
      {isTable ? (
        <ChartTable {...props} />
      ) : (
        <>
          <ChartPlot {...props} hidden={hidden} />
          {series.length > 1 && (
            <ChartLegend series={series} hidden={hidden} onChange={setHidden} />
          )}
        </>
      )}
    </figure>
  )
}
