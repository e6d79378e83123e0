import { limits } from '@assay/contract/limits.ts'
import type { ViewedTrace } from '../../domain/trace-view/build-trace-view.ts'
import { type Deadline, DeadlinePassed } from '../../platform/deadline.ts'
import { type Buffers, CallLost, type LostBecause } from '../../platform/deadline-process.ts'
import { type FairSlots, openFairSlots } from '../../platform/fair-slots.ts'
import type { Log } from '../../platform/log.ts'
import { openShortCallsFirst } from '../../platform/short-calls-first.ts'
import type { RunFacts } from './run-facts.ts'

/*
 * Reads recorded runs in processes of their own, which start with the first request and end when they are idle.
 */

export interface RunReader {
  /** Runs an extraction when few others do. Rejects with Unavailable when too many wait. */
  readonly inTurn: FairSlots
  /** `pages`: its spans in the JSON of the API. `unread`: why not, as the end of a sentence. Rejects with the reason of the signal when the caller aborts. */
  read(
    owner: string,
    time: Deadline,
    trace: ViewedTrace,
    pages: Buffers,
  ): Promise<RunFacts | Unread>
  close(): Promise<void>
}

export interface Unread {
  readonly unread: string
}

const idleMs = 60_000
/** The JSON of a trace takes several times its size. */
const maxHeapMb = 768
const shortHeapMb = 256
const extractionsMax = 3

export function openRunReader(log: Log): RunReader {
  const child = openShortCallsFirst<ViewedTrace, RunFacts>({
    module: new URL('./extraction-process.ts', import.meta.url),
    deadlineMs: limits.extractedRunSeconds.value * 1000,
    ...{ name: 'extraction', idleMs, maxHeapMb, shortHeapMb, log },
  })
  return {
    inTurn: openFairSlots({
      ...{ runningMax: extractionsMax, runningMaxOfOwner: 1 },
      waitingMax: limits.waitingExtractions.value,
      refusal: 'Too many extractions wait. Try again shortly.',
    }),
    async read(owner, time, trace, pages) {
      try {
        return await child.run({ owner, signal: time.signal }, trace, {
          ...{ endsAt: time.endsAt, buffers: pages },
        })
      } catch (error) {
        if (error instanceof DeadlinePassed) return outOfTime
        if (!(error instanceof CallLost) || error.because === 'closed') throw error
        return time.isUp() ? outOfTime : { unread: reasons[error.because] }
      }
    },
    close: () => child.close(),
  }
}

export const outOfTime: Unread = {
  unread: `the extraction reached its limit of ${limits.extractionSeconds.value} seconds.`,
}

const reasons: Readonly<Record<Exclude<LostBecause, 'closed'>, string>> = {
  'too late': `it took more than ${limits.extractedRunSeconds.value} seconds.`,
  'out of memory': 'it takes more memory than an extraction may use.',
  failed: 'the extraction failed.',
}
