import { timestamp } from '@assay/contract/fields.ts'
import type { ProjectJobKind } from '@assay/contract/jobs.ts'
import { z } from 'zod'
import { parseInstant } from '../../domain/instant.ts'
import { type DefinedJob, defineJob, type StepInput } from '../../jobs/define-job.ts'
import { pricerFor } from '../../models/pricer.ts'
import type { ProjectPrices } from '../../models/project-prices.ts'
import type { Position } from '../../storage/telemetry/port/position.ts'
import type { SpanRef, TimeRange } from '../../storage/telemetry/port/pricing.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'
import {
  countSpans,
  type PricedSpan,
  priceSpans,
  type RepricingProgress,
} from './repricing-progress.ts'

/*
 * Re-prices the stored spans of a time range, page by page.
 */

export interface RepricingJobPorts {
  readonly telemetry: Pick<TelemetryStore, 'listPriceable' | 'reprice'>
  readonly prices: ProjectPrices
}

/** Takes a few milliseconds of the telemetry writer's time. */
const spansPerStep = 500

export const repricingKind = {
  kind: 'repricing' satisfies ProjectJobKind,
  input: z.object({ from: timestamp, to: timestamp }),
}
export type RepricingInput = z.output<typeof repricingKind.input>

/**
 * A page takes two steps: its changes are counted, then made. A page of which an interrupted step has made some is
 * listed without them. Rules that are edited between its two steps apply to the changes, not to the counts.
 */
interface RepricingPosition {
  readonly after?: Position
  readonly isCounted: boolean
}

export function repricingJob({ telemetry, prices }: RepricingJobPorts): DefinedJob {
  return defineJob({
    ...repricingKind,
    async step(
      { input, projectId, progress, signal }: StepInput<RepricingInput, RepricingProgress>,
      { after, isCounted }: RepricingPosition = { isCounted: false },
    ) {
      if (projectId === null) throw new Error('a re-pricing job has no project')
      const query = { range: toTimeRange(input), limit: spansPerStep, ...(after && { after }) }
      const page = await telemetry.listPriceable(projectId, query, { signal })
      const spans = await priceSpans(page, pricerFor(await prices.readRules(projectId)))
      const changes = spans.filter(({ isChanged }) => isChanged)
      if (!isCounted) {
        progress.done += page.traceCount
        countSpans(spans, progress)
        if (changes.length > 0) {
          return { position: { ...(after && { after }), isCounted: true }, progress }
        }
      } else if (changes.length > 0) {
        // Spans that were replaced in the meantime are left alone.
        countSpans(await reprice(projectId, changes, telemetry), progress, -1)
      }
      return page.next === undefined
        ? { isDone: true, progress }
        : { position: { after: page.next, isCounted: false }, progress }
    },
  })
}

/** Returns the spans that were not changed. */
async function reprice(
  projectId: string,
  spans: readonly PricedSpan[],
  telemetry: RepricingJobPorts['telemetry'],
): Promise<readonly PricedSpan[]> {
  const repricings = spans.map(({ span: { traceId, spanId, version }, price }) => ({
    ...{ traceId, spanId, version, price },
  }))
  const changed = await telemetry.reprice(projectId, repricings)
  const keys = new Set(changed.map(toKey))
  return spans.filter(({ span }) => !keys.has(toKey(span)))
}

function toKey({ traceId, spanId }: SpanRef): string {
  return JSON.stringify([traceId, spanId])
}

export function toTimeRange({ from, to }: RepricingInput): TimeRange {
  return { from: parseInstant(from), to: parseInstant(to) }
}
