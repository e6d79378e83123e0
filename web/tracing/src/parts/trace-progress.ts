import type { Trace } from '@assay/contract/traces.ts'
import { instantMs } from '@assay/ui/time-format.ts'

type Unfinished = NonNullable<Trace['unfinished']>

const minuteMs = 60_000

/** A missing root is less certain: a service above may not send its spans at all. */
const waitMs: Readonly<Record<Unfinished, number>> = {
  root_open: 5 * minuteMs,
  root_missing: minuteMs,
}

/** Whether more of the trace is expected: its root has no end yet, and it changed a short time ago. */
export function isRunning(
  { unfinished, updated_at }: Pick<Trace, 'unfinished' | 'updated_at'>,
  nowMs: number,
): boolean {
  return unfinished !== null && nowMs - instantMs(updated_at) < waitMs[unfinished]
}
