import { timestamp } from '@assay/contract/fields.ts'
import type { ProjectJobKind } from '@assay/contract/jobs.ts'
import { z } from 'zod'
import { parseInstant } from '../../domain/instant.ts'
import { type DefinedJob, defineJob, type StepInput } from '../../jobs/define-job.ts'
import { pricerFor } from '../../models/pricer.ts'
import type { ProjectPrices } from '../../models/project-prices.ts'
import type { Position } from '../../storage/telemetry/port/position.ts'
import type { TimeRange } from '../../storage/telemetry/port/pricing.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'
import { pricePage, type RepricingProgress } from './repricing-progress.ts'

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

export function repricingJob({ telemetry, prices }: RepricingJobPorts): DefinedJob {
  return defineJob({
    ...repricingKind,
    async step(
      { input, projectId, progress, signal }: StepInput<RepricingInput, RepricingProgress>,
      position: Position | undefined,
    ) {
      if (projectId === null) throw new Error('a re-pricing job has no project')
      const after = position && { after: position }
      const query = { range: toTimeRange(input), limit: spansPerStep, ...after }
      const page = await telemetry.listPriceable(projectId, query, { signal })
      const repricings = pricePage(page, pricerFor(await prices.readRules(projectId)), progress)
      if (repricings.length > 0) {
        const count = await telemetry.reprice(projectId, repricings)
        // Spans that were replaced in the meantime are left alone.
        progress.changed -= repricings.length - count
      }
      return page.next === undefined
        ? { isDone: true, progress }
        : { position: page.next, progress }
    },
  })
}

export function toTimeRange({ from, to }: RepricingInput): TimeRange {
  return { from: parseInstant(from), to: parseInstant(to) }
}
