import { Button, NativeSelect, Popover } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { type ChartViewProps, CustomChartView } from './CustomChartView.tsx'
import { type CustomChart, forms, serializeChart } from './custom-charts.ts'
import styles from './dashboard.module.css'
import { type MeasureId, measureIds, measures } from './measures.ts'
import { splits } from './stats-groups.ts'
import { useSharedCharts } from './use-shared-charts.ts'

interface Props extends ChartViewProps {
  readonly charts: readonly CustomChart[]
  /** Whether the saved charts are known. */
  readonly isLoaded: boolean
  /** Why they could not be loaded or saved. */
  readonly error: Error | null
  /** The charts come from a shared link. */
  readonly isFromLink: boolean
  readonly onChange: (charts: readonly CustomChart[]) => void
}

/** The user's own charts, saved for the user and included in the URL. */
export function CustomCharts({ charts, isLoaded, error, isFromLink, onChange, ...view }: Props) {
  const sharing = useSharedCharts(view.projectId)
  const without = (chart: CustomChart) => {
    const code = serializeChart(chart)
    return charts.filter((one) => serializeChart(one) !== code)
  }
  return (
    <section className={styles.own} aria-label="My charts">
      <div className={styles.ownHead}>
        <h2 className={styles.heading}>My charts</h2>
        {isFromLink && (
          <Button variant="default" onClick={() => onChange(charts)}>
            Save to my charts
          </Button>
        )}
        {isLoaded && <AddChart onAdd={(chart) => onChange([...charts, chart])} />}
      </div>
      {sharing.shareError !== null && (
        <p className={styles.none} role="alert">
          Could not share the chart. {sharing.shareError.message}
        </p>
      )}
      {error !== null && (
        <p className={styles.none} role="alert">
          Could not {isLoaded ? 'save' : 'load'} your charts. {error.message}
        </p>
      )}
      {isLoaded && charts.length === 0 ? (
        <p className={styles.none}>
          Add charts over time or by name, model, environment or tag. They are saved for you and
          included in the page URL. Editors can share them with the project.
        </p>
      ) : (
        <div className={styles.charts}>
          {charts.map((chart) => (
            <CustomChartView
              key={serializeChart(chart)}
              chart={chart}
              {...view}
              onRemove={() => onChange(without(chart))}
              onShare={
                sharing.canShare
                  ? () => sharing.share(chart, () => onChange(without(chart)))
                  : undefined
              }
            />
          ))}
        </div>
      )}
    </section>
  )
}

function AddChart({ onAdd }: { readonly onAdd: (chart: CustomChart) => void }) {
  const [isOpen, setOpen] = useState(false)
  const [measure, setMeasure] = useState<MeasureId>('cost')
  const [split, setSplit] = useState<CustomChart['split']>('time')
  const [form, setForm] = useState<CustomChart['form']>('bar')
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" shadow="md" trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconPlus size={14} />}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          Add chart
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          className={styles.add}
          onSubmit={(event) => {
            event.preventDefault()
            onAdd({ measure, split, form: split === 'time' ? form : 'bar' })
            setOpen(false)
          }}
        >
          <NativeSelect
            size="xs"
            label="Metric"
            data-autofocus
            data={measureIds.map((id) => ({ value: id, label: measures[id].label }))}
            value={measure}
            onChange={({ currentTarget: { value } }) =>
              setMeasure(measureIds.find((id) => id === value) ?? 'cost')
            }
          />
          <NativeSelect
            size="xs"
            label="Group by"
            data={[
              { value: 'time', label: 'Time' },
              { value: 'name', label: 'Name' },
              { value: 'model', label: 'Model' },
              { value: 'environment', label: 'Environment' },
              { value: 'tag', label: 'Tag' },
            ]}
            value={split}
            onChange={({ currentTarget: { value } }) =>
              setSplit(splits.find((one) => one === value) ?? 'time')
            }
          />
          {split === 'time' && (
            <NativeSelect
              size="xs"
              label="Chart type"
              data={[
                { value: 'bar', label: 'Bar' },
                { value: 'line', label: 'Line' },
              ]}
              value={form}
              onChange={({ currentTarget: { value } }) =>
                setForm(forms.find((one) => one === value) ?? 'bar')
              }
            />
          )}
          <Button type="submit">Add</Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}
