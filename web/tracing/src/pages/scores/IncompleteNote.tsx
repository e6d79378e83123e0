import { TimeText } from '@assay/ui/TimeText.tsx'
import { useNow } from '@assay/ui/use-now.ts'
import page from '../../page/page.module.css'
import { isComplete } from './agreement-reading.ts'

interface Props {
  /** Undefined while it is loading. */
  readonly completeFrom: string | undefined
}

/** Where there are too many scores to count those of all 30 days. */
export function IncompleteNote({ completeFrom }: Props) {
  const nowMs = useNow(60_000)
  if (completeFrom === undefined || isComplete(completeFrom, nowMs)) return null
  return (
    <p className={page.note} role="note">
      There are too many scores to count all of them: counts start at <TimeText at={completeFrom} />
      .
    </p>
  )
}
