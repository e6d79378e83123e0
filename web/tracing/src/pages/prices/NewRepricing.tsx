import type { Repricing } from '@assay/contract/repricing.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { formatCount } from '@assay/ui/number-format.ts'
import { DataTable } from '@assay/ui/table/DataTable.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { Button } from '@mantine/core'
import { usePreview, useReprice } from '../../api/repricing.ts'
import { TimeRange } from '../../filter/TimeRange.tsx'
import type { TimeSearch } from '../../filter/time-range.ts'
import { CostText } from '../../parts/CostText.tsx'
import styles from './prices.module.css'
import {
  formatCostDifference,
  formatRepricingResult,
  formatTraceCount,
  toTimeRange,
} from './repricing-format.ts'

interface Props {
  readonly projectId: string
  readonly search: TimeSearch
  /** A recalculation is running; a project has one at a time. */
  readonly isBusy: boolean
  readonly onChange: (next: TimeSearch) => void
}

/** Previews a recalculation and starts it. */
export function NewRepricing({ projectId, search, isBusy, onChange }: Props) {
  const previewing = usePreview(projectId)
  const starting = useReprice(projectId)
  const preview = previewing.data
  return (
    <section className={styles.box} aria-label="New recalculation">
      <div className={styles.range}>
        <TimeRange search={search} onChange={onChange} />
        <Button
          variant={preview === undefined ? 'filled' : 'default'}
          loading={previewing.isPending}
          onClick={() => {
            starting.reset()
            previewing.mutate(toTimeRange(search, Date.now()))
          }}
        >
          Preview
        </Button>
        <span className="dimmed">A preview saves nothing.</span>
      </div>
      <FormError message={previewing.error?.message} />
      {preview !== undefined && !starting.isSuccess && (
        <>
          <Outcome preview={preview} />
          <FormError message={starting.error?.message} />
          {(preview.spans_changed > 0 || !preview.is_complete) && (
            <div className={styles.range}>
              <Button
                disabled={isBusy}
                loading={starting.isPending}
                onClick={() => starting.mutate(preview)}
              >
                {preview.is_complete
                  ? `Update ${countOf(preview.spans_changed, 'call')}`
                  : `Recalculate ${formatTraceCount(preview.trace_count)}`}
              </Button>
              {isBusy && <span className="dimmed">Another recalculation is running.</span>}
            </div>
          )}
        </>
      )}
    </section>
  )
}

function Outcome({ preview }: { readonly preview: Repricing }) {
  const { cost_before_usd: before, cost_after_usd: after, is_complete: isComplete } = preview
  return (
    <>
      <p className={styles.message} role="status">
        <strong>{formatRepricingResult(preview)}</strong>
        {preview.spans_changed > 0 && ` Total change: ${formatCostDifference(before, after)}.`}
        {!isComplete &&
          ` The preview covers the first ${formatCount(preview.traces_done)} of ${formatTraceCount(preview.trace_count)}; the recalculation covers all.`}
      </p>
      <DataTable
        caption="Changes by model"
        rows={preview.models}
        columns={columns}
        rowKey={({ model, provider }) => [model, provider].join('\n')}
      />
    </>
  )
}

type ModelChange = Repricing['models'][number]

const columns: readonly Column<ModelChange>[] = [
  {
    key: 'model',
    header: 'Model',
    cell: ({ model, provider }) => (
      <>
        <strong>{model ?? 'no model'}</strong> <span className="dimmed">{provider}</span>
      </>
    ),
  },
  {
    key: 'changed',
    header: 'Changed calls',
    align: 'end',
    cell: ({ spans_changed, spans_examined }) =>
      `${formatCount(spans_changed)} of ${formatCount(spans_examined)}`,
  },
  {
    key: 'before',
    header: 'Before',
    align: 'end',
    cell: ({ cost_before_usd }) => <Sum usd={cost_before_usd} />,
  },
  {
    key: 'after',
    header: 'After',
    align: 'end',
    cell: ({ cost_after_usd, unpriced_after }) => (
      <Sum usd={cost_after_usd} isKnown={unpriced_after === 0} />
    ),
  },
  {
    key: 'difference',
    header: 'Difference',
    align: 'end',
    cell: ({ cost_before_usd, cost_after_usd }) =>
      formatCostDifference(cost_before_usd, cost_after_usd),
  },
  {
    key: 'unpriced',
    header: 'Still unpriced',
    align: 'end',
    cell: ({ unpriced_after }) => formatCount(unpriced_after),
  },
]

/** A sum of 0 may be a sum of unknown costs: it is shown as $0 only if all are known. */
function Sum({ usd, isKnown = false }: { readonly usd: number; readonly isKnown?: boolean }) {
  return <CostText usd={usd === 0 && !isKnown ? null : usd} />
}
