import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { inProject, timestamp } from './fields.ts'

const stored = z
  .object({
    count: z.int(),
    bytes: z.int().describe('estimated from a sample'),
    oldest_at: timestamp.nullable(),
    newest_at: timestamp.nullable(),
  })
  .meta({ id: 'StoredSignal' })

export const storageUsed = z
  .object({
    traces: stored.describe('what lists and figures are read from, without spans'),
    spans: stored.describe('with inputs and outputs, compressed; times are those of their traces'),
    metric_points: stored,
    log_records: stored,
    scores: stored,
    is_estimate: z.boolean().describe('whether counts are estimates, too'),
    retention: z.object({
      days: z.int().nullable().describe('null: everything is kept'),
      source: z
        .enum(['project', 'deployment', 'keep'])
        .describe(
          "whose word holds: the project's `retention_days`, `ASSAY_RETENTION_DAYS`, or nobody's",
        ),
    }),
    deployment_bytes: z
      .int()
      .nullable()
      .describe(
        'the files of all projects together, search index included; null but for super admins',
      ),
  })
  .meta({ id: 'StorageUsed' })

export const readStorage = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/storage',
  tag: 'Organizations',
  summary: 'What is stored of a project, and for how long it is kept',
  description:
    'Counts are exact unless `is_estimate`. Bytes are what a sample of each, spread over its whole time, comes to on average, times the count: nothing is read through, and what projects share is not divided among them.',
  access: { by: 'session', of: 'project' },
  params: inProject,
  success: { status: 200, data: storageUsed },
  errors: ['INTERNAL_ERROR 503'],
})
