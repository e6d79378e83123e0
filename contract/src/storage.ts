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
    traces: stored.describe('without their spans'),
    spans: stored.describe(
      'including compressed inputs and outputs; the times are the starts of their traces',
    ),
    metric_points: stored,
    log_records: stored,
    scores: stored,
    is_estimate: z.boolean().describe('whether the counts are estimates as well'),
    retention: z.object({
      days: z.int().nullable().describe('null: nothing expires'),
      source: z
        .enum(['project', 'deployment', 'keep'])
        .describe(
          'where the period is set: `retention_days` of the project, `ASSAY_RETENTION_DAYS`, or not set',
        ),
    }),
    deployment_bytes: z
      .int()
      .nullable()
      .describe('storage used by all projects, indexes included; null except for super admins'),
  })
  .meta({ id: 'StorageUsed' })

export const readStorage = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/storage',
  tag: 'Organizations',
  summary: 'Read the storage used by a project, and its retention period',
  description:
    'Counts are exact unless `is_estimate`. Bytes are the count times the average size of a sample, excluding anything that projects share.',
  access: { by: 'session', of: 'project' },
  cost: 'expensive',
  params: inProject,
  success: { status: 200, data: storageUsed },
  errors: ['INTERNAL_ERROR 503'],
})
