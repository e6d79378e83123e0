import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { appBody, id, inProject, pathId, timestamp } from './fields.ts'
import { limits } from './limits.ts'

/*
 * Pricing anew what is stored: in the background, and as a preview.
 */

const ofProject = { by: 'session', of: 'project' } as const

export const repricingStates = ['preview', 'running', 'completed', 'cancelled', 'failed'] as const

export const repricing = z
  .object({
    id: id.nullable().describe('null for a preview'),
    state: z.enum(repricingStates),
    from: timestamp,
    to: timestamp,
    trace_count: z.int().describe('traces that started in that time'),
    traces_done: z.int(),
    spans_examined: z.int().describe('spans with a model or tokens, whose cost was not reported'),
    spans_changed: z.int(),
    newly_priced: z.int().describe('spans whose cost was not known before'),
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
      .describe(
        `those whose cost changes most; what goes beyond ${limits.repricedModels.value} is only in the sums`,
      ),
    is_complete: z
      .boolean()
      .describe('whether the figures are of the whole time, and not only of its beginning'),
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
  summary: 'Price anew what is stored of a time, or tell what that would change',
  description: `Takes the spans of all traces that started in that time by the prices that hold now for when each span began; reported costs stay. With \`preview\` nothing is written, and the figures of at most ${limits.repricePreviewSpans.value} spans are answered. Else it goes on in the background, through restarts, one at a time for a project; doing it again changes nothing more.`,
  access: byHistoryManagers,
  params: inProject,
  body: appBody(
    z
      .object({ from: timestamp, to: timestamp, preview: z.boolean().default(false) })
      .refine(({ from, to }) => Date.parse(from) < Date.parse(to), {
        path: ['to'],
        error: 'must lie after from',
      }),
  ),
  success: { status: 200, data: repricing },
  errors: ['CONFLICT'],
})

export const listRepricings = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/prices/reprice',
  tag: 'Prices',
  summary: `List the last ${limits.listedRepricings.value} times that a project was priced anew, newest first`,
  access: ofProject,
  params: inProject,
  success: { status: 200, data: z.array(repricing) },
})

export const readRepricing = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/prices/reprice/{jobId}',
  tag: 'Prices',
  summary: 'Tell how far pricing anew has come',
  access: ofProject,
  params: inRepricing,
  success: { status: 200, data: repricing },
  errors: ['NOT_FOUND'],
})

export const cancelRepricing = endpoint({
  method: 'DELETE',
  path: '/projects/{projectId}/prices/reprice/{jobId}',
  tag: 'Prices',
  summary: 'Stop pricing anew; what has been done stays',
  access: byHistoryManagers,
  params: inRepricing,
  success: { status: 200, data: repricing },
  errors: ['NOT_FOUND', 'CONFLICT'],
})
