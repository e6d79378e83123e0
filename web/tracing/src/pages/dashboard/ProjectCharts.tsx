import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { useRemoveSharedView } from '../../api/shared-views.ts'
import { type ChartViewProps, CustomChartView } from './CustomChartView.tsx'
import { formatChartTitle } from './custom-charts.ts'
import styles from './dashboard.module.css'
import { type SharedChart, useSharedCharts } from './use-shared-charts.ts'

/** The charts that the project shares; nothing without any. */
export function ProjectCharts(props: ChartViewProps) {
  const { charts, error, canShare } = useSharedCharts(props.projectId)
  const removing = useDialog<SharedChart>()
  const mutation = useRemoveSharedView(props.projectId)
  return (
    <>
      {(charts.length > 0 || error !== null) && (
        <section className={styles.own} aria-label="Project charts">
          <h2 className={styles.heading}>Project charts</h2>
          {error !== null && (
            <p className={styles.none} role="alert">
              Could not load the shared charts. {error.message}
            </p>
          )}
          <div className={styles.charts}>
            {charts.map((one) => (
              <CustomChartView
                key={one.id}
                chart={one.chart}
                {...props}
                onRemove={canShare ? () => removing.open(one) : undefined}
              />
            ))}
          </div>
        </section>
      )}
      <ConfirmDialog
        dialog={removing}
        mutation={mutation}
        variables={({ id }) => id}
        title="Remove this chart?"
        confirmLabel="Remove chart"
      >
        {({ chart }) => (
          <p>
            This removes the chart <strong>{formatChartTitle(chart)}</strong> for everyone in this
            project.
          </p>
        )}
      </ConfirmDialog>
    </>
  )
}
