import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { appBody, id, inProject, pathId, requestTimestamp, timestamp } from './fields.ts'
import { limits } from './limits.ts'

/*
 * Re-pricing stored spans: as a background job, or as a preview.
 */

const ofProject = { by: 'session', of: 'project' } as const

export const repricingStates = ['preview', 'running', 'completed', 'cancelled', 'failed'] as const

export const repricing = z
  .object({
    id: id.nullable().describe('null for a preview'),
    state: z.enum(repricingStates),
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
    models: z
      .array(
        z.object({
          model: z.string().nullable(),
          provider: z.string().nullable(),
          spans_examined: z.int(),
          spans_changed: z.int(),
          unpriced_after: z.int(),
          cost_before_usd: z.number(),
          cost_after_usd: z.number(),
        }),
      )
      .describe(`the ${limits.repricedModels.value} models whose cost changes most`),
    is_complete: z.boolean().describe('whether the whole time range is included'),
    created_at: timestamp,
    finished_at: timestamp.nullable(),
    problem: z.string().nullable(),
  })
  .meta({ id: 'Repricing' })
export type Repricing = z.output<typeof repricing>

const inRepricing = inProject.extend({ jobId: pathId })
const byHistoryManagers = { ...ofProject, anyOf: ['manage_org_settings'] } as const

export const reprice = endpoint({
  method: 'POST',
  path: '/projects/{projectId}/prices/reprice',
  tag: 'Prices',
  summary: 'Re-price the stored spans of a time range, or preview the changes',
  description: `Applies the current prices for the start time of each span to all traces that started in the range; reported costs are kept. With \`preview\`, nothing is stored and the response covers at most ${limits.repricePreviewSpans.value} spans. Otherwise a background job starts, at most one per project. Running it again changes nothing.`,
  access: byHistoryManagers,
  params: inProject,
  body: appBody(
    z
      .object({ from: requestTimestamp, to: requestTimestamp, preview: z.boolean().default(false) })
      .refine(({ from, to }) => Date.parse(from) < Date.parse(to), {
        path: ['to'],
        error: 'must be after from',
      }),
  ),
  success: { status: 200, data: repricing },
  errors: ['CONFLICT'],
})

export const listRepricings = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/prices/reprice',
  tag: 'Prices',
  summary: `List the last ${limits.listedRepricings.value} re-pricing jobs, newest first`,
  access: ofProject,
  params: inProject,
  success: { status: 200, data: z.array(repricing) },
})

export const readRepricing = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/prices/reprice/{jobId}',
  tag: 'Prices',
  summary: 'Read a re-pricing job',
  access: ofProject,
  params: inRepricing,
  success: { status: 200, data: repricing },
  errors: ['NOT_FOUND'],
})

export const cancelRepricing = endpoint({
  method: 'DELETE',
  path: '/projects/{projectId}/prices/reprice/{jobId}',
  tag: 'Prices',
  summary: 'Cancel a re-pricing job',
  description: 'Spans that were re-priced keep their new price.',
  access: byHistoryManagers,
  params: inRepricing,
  success: { status: 200, data: repricing },
  errors: ['NOT_FOUND', 'CONFLICT'],
})
