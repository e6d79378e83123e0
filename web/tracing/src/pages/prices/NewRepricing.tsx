import type { Repricing } from '@assay/contract/repricing.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { formatCount } from '@assay/ui/number-format.ts'
import { Button } from '@mantine/core'
import { usePreview, useReprice } from '../../api/repricing.ts'
import { TimeRange } from '../../filter/TimeRange.tsx'
import type { TimeSearch } from '../../filter/time-range.ts'
import { CostText } from '../../parts/CostText.tsx'
import styles from './prices.module.css'
import { formatCostDifference, formatRepricingResult, toTimeRange } from './repricing-format.ts'

interface Props {
  readonly projectId: string
  readonly search: TimeSearch
  /** A project is priced anew once at a time. */
  readonly isBusy: boolean
  readonly onChange: (next: TimeSearch) => void
}

/** Asks for a time, says what would change, and does it. */
export function NewRepricing({ projectId, search, isBusy, onChange }: Props) {
  const previewing = usePreview(projectId)
  const starting = useReprice(projectId)
  const preview = previewing.data
  return (
    <section className={styles.box} aria-label="What would change">
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
        <span className="dimmed">Tells what would change, and writes nothing.</span>
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
                Price {formatCount(preview.trace_count)} traces anew
              </Button>
              {isBusy && <span className="dimmed">Wait until the one that runs has ended.</span>}
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
      <p className={styles.told} role="status">
        <strong>{formatRepricingResult(preview)}</strong>
        {preview.spans_examined > 0 && ` Together: ${formatCostDifference(before, after)}.`}
        {!isComplete &&
          ` These are the figures of the first ${formatCount(preview.traces_done)} of ${formatCount(preview.trace_count)} traces; all would be priced anew.`}
      </p>
      {preview.models.length > 0 && <ModelChanges preview={preview} />}
    </>
  )
}

function ModelChanges({ preview: { models } }: { readonly preview: Repricing }) {
  return (
    <div className={styles.scroller}>
      <table className={styles.table}>
        <caption className="visually-hidden">What would change, by model</caption>
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col" className={styles.number}>
              Calls that change
            </th>
            <th scope="col" className={styles.number}>
              Before
            </th>
            <th scope="col" className={styles.number}>
              After
            </th>
            <th scope="col" className={styles.number}>
              Difference
            </th>
            <th scope="col" className={styles.number}>
              Still unpriced
            </th>
          </tr>
        </thead>
        <tbody>
          {models.map((model) => (
            <tr key={[model.model, model.provider].join('\n')}>
              <td className={styles.name}>
                <span className={styles.model}>{model.model ?? 'no model named'}</span>{' '}
                <span className="dimmed">{model.provider}</span>
              </td>
              <td className={styles.number} data-label="Change">
                {formatCount(model.spans_changed)} of {formatCount(model.spans_examined)}
              </td>
              <td className={styles.number} data-label="Before">
                <Sum usd={model.cost_before_usd} />
              </td>
              <td className={styles.number} data-label="After">
                <Sum usd={model.cost_after_usd} isKnown={model.unpriced_after === 0} />
              </td>
              <td className={styles.number} data-label="Difference">
                {formatCostDifference(model.cost_before_usd, model.cost_after_usd)}
              </td>
              <td className={styles.number} data-label="Unpriced">
                {formatCount(model.unpriced_after)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A sum of nothing may be one of unknown costs: it is called free only where all are known. */
function Sum({ usd, isKnown = false }: { readonly usd: number; readonly isKnown?: boolean }) {
  return <CostText usd={usd === 0 && !isKnown ? null : usd} />
}
