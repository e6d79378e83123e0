import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { appBody, id, inProject, limitedList, requestTimestamp, timestamp } from './fields.ts'
import { limits } from './limits.ts'

/*
 * Re-pricing stored spans: as a background job, or as a preview.
 */

export const repricing = z
  .object({
    from: timestamp,
    to: timestamp,
    trace_count: z
      .int()
      .nullable()
      .describe(
        `traces that started in the time range; null for more than ${limits.repricedTraces.value}`,
      ),
    traces_done: z.int(),
    spans_examined: z.int().describe('spans with a model or tokens and without a reported cost'),
    spans_changed: z.int(),
    newly_priced: z.int().describe('spans whose cost was unknown before'),
    newly_unpriced: z.int(),
    cost_before_usd: z.number().describe('of the examined spans'),
    cost_after_usd: z.number(),
    models: limitedList(
      z.object({
        model: z.string().nullable(),
        provider: z.string().nullable(),
        spans_examined: z.int(),
        spans_changed: z.int(),
        unpriced_after: z.int().describe('spans with tokens whose cost stays unknown'),
        cost_before_usd: z.number(),
        cost_after_usd: z.number(),
      }),
      'repricedModels',
    ).describe('the models whose cost changes most'),
    is_complete: z.boolean().describe('whether the whole time range is included'),
  })
  .meta({ id: 'Repricing' })
export type Repricing = z.output<typeof repricing>

const byHistoryManagers = { by: 'session', of: 'project', anyOf: ['manage_org_settings'] } as const
const range = z
  .object({ from: requestTimestamp, to: requestTimestamp })
  .refine(({ from, to }) => Date.parse(from) < Date.parse(to), {
    path: ['to'],
    error: 'must be after from',
  })

export const previewRepricing = endpoint({
  method: 'POST',
  path: '/projects/{projectId}/prices/reprice/preview',
  tag: 'Prices',
  summary: 'Preview a re-pricing',
  description: `Stores nothing. Examines at most ${limits.repricePreviewSpans.value} spans.`,
  access: byHistoryManagers,
  cost: 'expensive',
  params: inProject,
  body: appBody(range),
  success: { status: 200, data: repricing },
})

export const reprice = endpoint({
  method: 'POST',
  path: '/projects/{projectId}/prices/reprice',
  tag: 'Prices',
  summary: 'Re-price the stored spans of a time range',
  description:
    'Applies the current prices for the start time of each span to all traces that started in the range; reported costs are kept. Starts a background job, at most one per project: `/projects/{projectId}/jobs` lists, returns and cancels it. Spans that were re-priced before a cancellation keep their new price. Custom prices that are edited while it runs apply to the spans that follow; the counts of up to 500 spans may then be those of the prices before the edit. Running it again changes nothing.',
  access: byHistoryManagers,
  cost: 'expensive',
  params: inProject,
  body: appBody(range),
  success: { status: 202, data: z.object({ id: id.describe('of the job') }) },
  errors: ['CONFLICT'],
})
