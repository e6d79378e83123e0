import { useNow } from '@assay/ui/use-now.ts'
import { Button, Progress } from '@mantine/core'
import type { ReactNode } from 'react'
import page from '../../page/page.module.css'
import type { CancelableRequest } from './use-cancelable-request.ts'

interface Props {
  /** What is being done: `Writing the blueprint`. */
  readonly activity: string
  readonly request: Pick<CancelableRequest<never>, 'startedAt' | 'cancel'>
  /** How long it takes, and what a cancellation means. */
  readonly children: ReactNode
}

const second = 1000

/** A request whose progress is unknown: how long it has taken so far. */
export function Waiting({ activity, request, children }: Props) {
  const elapsed = Math.max(0, useNow(second) - request.startedAt)
  return (
    <section className={page.box} aria-label={activity}>
      <div className={page.boxHead}>
        <span>
          <strong role="status">{activity}</strong>, for {Math.floor(elapsed / second)} s
        </span>
        <Button variant="default" onClick={request.cancel}>
          Cancel
        </Button>
      </div>
      <Progress value={100} animated aria-label={activity} />
      <p className={page.note}>{children}</p>
    </section>
  )
}
