import { TimeText } from '@assay/ui/TimeText.tsx'
import page from '../../page/page.module.css'
import { isComplete } from './agreement-reading.ts'

interface Props {
  /** Undefined while it is loading. */
  readonly completeFrom: string | undefined
}

/** Where there are too many scores to count those of all 30 days. */
export function IncompleteNote({ completeFrom }: Props) {
  if (completeFrom === undefined || isComplete(completeFrom, Date.now())) return null
  return (
    <p className={page.note} role="note">
      There are too many scores to count all of them: counts start at <TimeText at={completeFrom} />
      .
    </p>
  )
}
