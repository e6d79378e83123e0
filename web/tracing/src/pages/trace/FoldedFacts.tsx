import type { Trace } from '@assay/contract/traces.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { formatDuration } from '@assay/ui/time-format.ts'
import { useNow } from '@assay/ui/use-now.ts'
import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { CostText } from '../../parts/CostText.tsx'
import { isRunning } from '../../parts/trace-progress.ts'
import { TraceFacts } from './TraceFacts.tsx'
import styles from './trace.module.css'

interface Props {
  readonly trace: Trace
}

/** On a phone: one line of facts, and all of them on request. */
export function FoldedFacts({ trace }: Props) {
  const [isOpen, { toggle }] = useDisclosure(false)
  const runs = isRunning(trace, useNow(10_000))
  const Icon = isOpen ? IconChevronUp : IconChevronDown
  return (
    <>
      <div className={styles.summary}>
        <span>
          {formatDuration(trace.duration_ms)}
          {runs && ' so far'} · {countOf(trace.span_count, 'span')} ·{' '}
          {trace.error_count > 0 && (
            <>
              <span className={styles.bad}>{countOf(trace.error_count, 'error')}</span> ·{' '}
            </>
          )}
          <CostText usd={trace.cost_usd} calls={trace} />
        </span>
        <Button
          variant="subtle"
          size="compact-xs"
          rightSection={<Icon size={13} aria-hidden />}
          aria-expanded={isOpen}
          onClick={toggle}
        >
          Details
        </Button>
      </div>
      {isOpen && <TraceFacts trace={trace} />}
    </>
  )
}
