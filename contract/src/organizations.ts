import { z } from 'zod'
import { roles } from './access.ts'
import { encryptedHistoryModes } from './encryption-keys.ts'
import { endpoint } from './endpoint.ts'
import {
  appBody,
  changeOf,
  id,
  inOrganization,
  inProject,
  label,
  limitedList,
  removed,
  slug,
  timestamp,
} from './fields.ts'
import { limits } from './limits.ts'

const regions = ['us', 'eu', 'ap', 'local'] as const

export const organization = z
  .object({
    id,
    name: z.string(),
    slug: z.string(),
    data_residency_region: z.enum(regions),
    plan_tier: z.enum(['free', 'team', 'enterprise']),
    sso_config_id: id.nullable(),
    created_at: timestamp,
    role: z.enum(roles),
  })
  .meta({ id: 'Organization' })
export type Organization = z.output<typeof organization>

export const project = z
  .object({
    id,
    organization_id: id,
    name: z.string(),
    slug: z.string(),
    created_at: timestamp,
    retention_days: z.int().nullable(),
    encrypted_history: z
      .enum(encryptedHistoryModes)
      .describe('whether chat conversations can or must be stored encrypted'),
  })
  .meta({ id: 'Project' })
export type Project = z.output<typeof project>

export const listOrganizations = endpoint({
  method: 'GET',
  path: '/orgs',
  tag: 'Organizations',
  product: 'both',
  summary: "List the caller's organizations, each with the caller's role",
  access: { by: 'session' },
  cost: 'cheap',
  success: { status: 200, data: limitedList(organization, 'organizations') },
})

export const createOrganization = endpoint({
  method: 'POST',
  path: '/orgs',
  tag: 'Organizations',
  summary: 'Create an organization and become its first Owner',
  access: { by: 'session', of: 'platform' },
  cost: 'cheap',
  body: appBody(
    z.object({
      name: label,
      slug: slug.optional(),
      data_residency_region: z.enum(regions).default('local'),
    }),
  ),
  success: { status: 201, data: organization },
  errors: ['CONFLICT'],
})

export const updateOrganization = endpoint({
  method: 'PATCH',
  path: '/orgs/{orgId}',
  tag: 'Organizations',
  summary: 'Rename an organization; its slug stays',
  access: { by: 'session', of: 'organization', anyOf: ['manage_org_settings'] },
  cost: 'cheap',
  params: inOrganization,
  body: appBody(z.object({ name: label })),
  success: { status: 200, data: organization },
})

export const listProjects = endpoint({
  method: 'GET',
  path: '/orgs/{orgId}/projects',
  tag: 'Organizations',
  product: 'both',
  summary: 'List the projects of an organization, by name',
  access: { by: 'session', of: 'organization' },
  cost: 'cheap',
  params: inOrganization,
  success: { status: 200, data: limitedList(project, 'projectsPerOrganization') },
})

export const createProject = endpoint({
  method: 'POST',
  path: '/orgs/{orgId}/projects',
  tag: 'Organizations',
  summary: 'Create a project; its legacy tracing key appears in this response and never again',
  access: { by: 'session', of: 'organization', anyOf: ['manage_org_settings', 'manage_members'] },
  cost: 'cheap',
  params: inOrganization,
  body: appBody(z.object({ name: label, slug: slug.optional() })),
  success: { status: 201, data: project.extend({ legacy_tracing_key: z.string() }) },
  errors: ['CONFLICT'],
})

export const createSampleProject = endpoint({
  method: 'POST',
  path: '/orgs/{orgId}/sample-project',
  tag: 'Organizations',
  summary: 'Create a project filled with sample telemetry of the last seven days',
  description:
    'A regular project called `Sample data`, which can be removed like any other: traces of agents, retrieval and reviews with errors, sessions, two versions and one trace of 5,000 spans, with log records and metrics. Pricing, totals and search work as for real telemetry.',
  access: { by: 'session', of: 'organization', anyOf: ['manage_org_settings', 'manage_members'] },
  cost: 'expensive',
  params: inOrganization,
  success: {
    status: 201,
    data: project.extend({
      trace_count: z.int(),
      span_count: z.int(),
      log_count: z.int(),
      data_point_count: z.int(),
    }),
  },
  errors: ['CONFLICT', 'INTERNAL_ERROR 503'],
})

export const updateProject = endpoint({
  method: 'PATCH',
  path: '/projects/{projectId}',
  tag: 'Organizations',
  summary: 'Change the name or the settings of a project; its slug stays',
  access: { by: 'session', of: 'project', anyOf: ['manage_org_settings'] },
  cost: 'cheap',
  params: inProject,
  body: appBody(
    changeOf(
      z.object({
        name: label.optional(),
        retention_days: z
          .int()
          .min(1)
          .max(limits.retentionDaysMax.value)
          .nullable()
          .optional()
          .describe('null for the default of the service'),
        encrypted_history: z.enum(encryptedHistoryModes).optional(),
      }),
    ),
  ),
  success: { status: 200, data: project },
})

export const removeProject = endpoint({
  method: 'DELETE',
  path: '/projects/{projectId}',
  tag: 'Organizations',
  summary: 'Permanently remove a project with its keys and all its telemetry',
  description:
    'The project, its keys, conversations and telemetry are no longer accessible once the request returns; the stored data is deleted within minutes.',
  access: { by: 'session', of: 'project', anyOf: ['manage_org_settings'] },
  cost: 'expensive',
  params: inProject,
  body: appBody(z.object({ confirm: z.string().describe('the slug of the project') })),
  success: removed,
})
