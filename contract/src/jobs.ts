import { z } from 'zod'
import type { Permission } from './access.ts'
import { bulkEvaluation } from './bulk-evaluations.ts'
import { endpoint } from './endpoint.ts'
import { id, inProject, pageMeta, pageQuery, pathId, timestamp } from './fields.ts'
import { repricing } from './repricing.ts'

/*
 * Background jobs of a project.
 */

/** The kinds of project jobs, and the permission that cancels each. */
export const projectJobKinds = {
  repricing: { cancel: 'manage_org_settings' },
  evaluation: { cancel: 'run_agents' },
} as const satisfies Readonly<Record<string, { readonly cancel: Permission }>>
export type ProjectJobKind = keyof typeof projectJobKinds

export const projectJobKind = z.enum(Object.keys(projectJobKinds) as [ProjectJobKind])
const states = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const

const jobHead = z.object({
  id,
  state: z.enum(states),
  progress: z.object({
    done: z.int(),
    total: z.int().nullable().describe('null when unknown'),
  }),
  problem: z.string().nullable().describe('why the job failed'),
  created_by: id.nullable(),
  created_at: timestamp,
  started_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
})

export const job = z
  .discriminatedUnion('kind', [
    jobHead.extend({
      kind: z.literal('repricing'),
      details: repricing.describe('of a `repricing`: its time range and the changes so far'),
    }),
    jobHead.extend({
      kind: z.literal('evaluation'),
      details: bulkEvaluation.describe('of an `evaluation`: its input and the results so far'),
    }),
  ])
  .meta({ id: 'Job' })
export type Job = z.output<typeof job>
export type RepricingJob = Extract<Job, { kind: 'repricing' }>
export type EvaluationJob = Extract<Job, { kind: 'evaluation' }>

const ofProject = { by: 'session', of: 'project' } as const
const inJob = inProject.extend({ jobId: pathId })

export const listJobs = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/jobs',
  tag: 'Jobs',
  summary: 'List background jobs, newest first',
  description:
    'Active jobs and recently finished ones: of each kind the newest 50, for at most 30 days.',
  access: ofProject,
  cost: 'cheap',
  params: inProject,
  query: pageQuery.extend({
    kind: projectJobKind.optional(),
    state: z.enum(states).optional(),
  }),
  success: { status: 200, data: z.array(job), meta: pageMeta },
})

export const readJob = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/jobs/{jobId}',
  tag: 'Jobs',
  summary: 'Read a background job',
  access: ofProject,
  cost: 'cheap',
  params: inJob,
  success: { status: 200, data: job },
  errors: ['NOT_FOUND'],
})

export const cancelJob = endpoint({
  method: 'DELETE',
  path: '/projects/{projectId}/jobs/{jobId}',
  tag: 'Jobs',
  summary: 'Cancel a background job',
  description: `Completed work is kept. Requires the permission for its kind: ${projectJobKind.options
    .map((kind) => `\`${projectJobKinds[kind].cancel}\` for \`${kind}\``)
    .join(', ')}.`,
  access: ofProject,
  cost: 'cheap',
  params: inJob,
  success: { status: 200, data: job },
  errors: ['NOT_FOUND', 'CONFLICT'],
})
