import { ApiError } from '@assay/contract/client.ts'
import type { Repricing } from '@assay/contract/repricing.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { formatCount } from '@assay/ui/number-format.ts'
import { DataTable } from '@assay/ui/table/DataTable.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { useSingleFlight } from '@assay/ui/use-single-flight.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type PreviewRequest, previewQuery, useReprice } from '../../api/repricing.ts'
import { TimeRange } from '../../filter/TimeRange.tsx'
import { isBackward, type TimeSearch } from '../../filter/time-range.ts'
import page from '../../page/page.module.css'
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
  const [openedMs] = useState(() => Date.now())
  const isInvalid = isBackward(search, openedMs)
  const [request, setRequest] = useState<PreviewRequest>()
  const { data: preview, error, isFetching } = useQuery(previewQuery(projectId, request))
  const starting = useReprice(projectId)
  const start = useSingleFlight(starting)
  return (
    <section className={page.box} aria-label="New recalculation">
      <div className={styles.range}>
        <TimeRange search={search} onChange={onChange} />
        <Button
          variant={preview === undefined ? 'filled' : 'default'}
          disabled={isBusy || isInvalid}
          loading={isFetching}
          onClick={() => {
            const nowMs = Date.now()
            starting.reset()
            setRequest({ ...toTimeRange(search, nowMs), requestedAtMs: nowMs })
          }}
        >
          Preview
        </Button>
        <span className="dimmed">
          {isBusy ? 'A recalculation is running.' : 'A preview saves nothing.'}
        </span>
      </div>
      <FormError message={isInvalid ? 'The start must be before the end.' : error?.message} />
      {preview !== undefined && !isBusy && !isFetching && (
        <>
          <Outcome preview={preview} />
          <FormError
            message={isAlreadyRunning(starting.error) ? undefined : starting.error?.message}
          />
          {(preview.spans_changed > 0 || !preview.is_complete) && (
            <Button loading={starting.isPending} onClick={() => start(preview)}>
              {preview.is_complete
                ? `Update ${countOf(preview.spans_changed, 'call')}`
                : `Recalculate ${formatTraceCount(preview.trace_count)}`}
            </Button>
          )}
        </>
      )}
    </section>
  )
}

/** Not shown as an error: the page shows the running job instead. */
function isAlreadyRunning(error: Error | null): boolean {
  return error instanceof ApiError && error.code === 'CONFLICT'
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
