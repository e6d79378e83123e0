import { z } from 'zod'
import { roles } from './access.ts'
import { endpoint } from './endpoint.ts'
import { appBody, id, inOrganization, label, slug, timestamp } from './fields.ts'

export const organization = z
  .object({
    id,
    name: z.string(),
    slug: z.string(),
    data_residency_region: z.enum(['us', 'eu', 'ap', 'local']),
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
  success: { status: 200, data: z.array(organization) },
})

export const listProjects = endpoint({
  method: 'GET',
  path: '/orgs/{orgId}/projects',
  tag: 'Organizations',
  product: 'both',
  summary: 'List the projects of an organization, by name',
  access: { by: 'session', of: 'organization' },
  params: inOrganization,
  success: { status: 200, data: z.array(project) },
})

export const createProject = endpoint({
  method: 'POST',
  path: '/orgs/{orgId}/projects',
  tag: 'Organizations',
  summary: 'Create a project; its legacy tracing key appears in this response and never again',
  access: { by: 'session', of: 'organization', anyOf: ['manage_org_settings', 'manage_members'] },
  params: inOrganization,
  body: appBody(z.object({ name: label, slug: slug.optional() })),
  success: { status: 201, data: project.extend({ legacy_tracing_key: z.string() }) },
  errors: ['CONFLICT'],
})
