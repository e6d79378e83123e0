import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { appBody, id, inProject, inTrace, removed } from './fields.ts'
import { limits } from './limits.ts'

export const removeTrace = endpoint({
  method: 'DELETE',
  path: '/projects/{projectId}/traces/{traceId}',
  tag: 'Traces',
  summary:
    'Remove a trace with its spans, scores and comments, and the log records that reference it',
  access: { by: 'session', of: 'project', anyOf: ['manage_org_settings'] },
  cost: 'expensive',
  params: inTrace,
  success: removed,
  errors: ['NOT_FOUND', 'VALIDATION_ERROR', 'INTERNAL_ERROR 503'],
})

/** Traces by id, for a request about a selection. */
export const selectedTraces = z
  .array(z.string().min(1).max(limits.traceIdLength.value))
  .min(1)
  .max(limits.changedTraces.value)

const changedTags = z
  .array(z.string().min(1).max(limits.tagLength.value))
  .max(limits.changedTags.value)
  .default([])

export const tagTraces = endpoint({
  method: 'POST',
  path: '/projects/{projectId}/traces/tags',
  tag: 'Traces',
  summary: 'Add tags to traces, and remove tags from them',
  description:
    'Tags that are added here stay, and those that are removed stay away, whatever tags a trace is sent with again. A tag in both lists is added. A request can be repeated.',
  access: { by: 'session', of: 'project', anyOf: ['run_agents', 'manage_agents'] },
  cost: 'expensive',
  params: inProject,
  body: appBody(
    z
      .object({ trace_ids: selectedTraces, add: changedTags, remove: changedTags })
      .refine(
        ({ add, remove }) => add.length + remove.length > 0,
        'must add or remove at least one tag',
      ),
  ),
  success: {
    status: 200,
    data: z.object({
      tagged: z.array(z.string()).describe('the traces that exist'),
    }),
  },
  errors: ['INTERNAL_ERROR 503'],
})

export const moveTraces = endpoint({
  method: 'POST',
  path: '/projects/{projectId}/traces/adopt',
  tag: 'Traces',
  summary: 'Move traces from another project of the organization into this one',
  description:
    'A trace moves with its spans, scores and comments and the log records that reference it. A trace whose id already exists in this project is skipped, so a request can be repeated. A move that is interrupted is completed in the background.',
  access: { by: 'session', of: 'project', anyOf: ['run_agents', 'manage_agents'] },
  cost: 'expensive',
  params: inProject,
  body: appBody(
    z.object({
      source_project_id: id,
      trace_ids: z
        .array(z.string().min(1).max(limits.traceIdLength.value))
        .min(1)
        .max(limits.movedTraces.value),
    }),
  ),
  success: {
    status: 200,
    data: z.object({
      adopted: z.array(z.string()),
      skipped: z.array(z.object({ trace_id: z.string(), reason: z.enum(['not_found', 'exists']) })),
    }),
  },
})
