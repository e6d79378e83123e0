import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { appBody, id, inProject, label, limitedList, pathId, revoked, timestamp } from './fields.ts'
import { limits } from './limits.ts'

export const tracingKey = z
  .object({
    id,
    name: z.string(),
    key_prefix: z.enum(['tk_live_', 'tk_test_']),
    key_hint: z.string(),
    created_at: timestamp,
    last_used_at: timestamp.nullable().describe('accurate to a minute'),
    revoked_at: timestamp.nullable(),
  })
  .meta({ id: 'TracingKey' })
export type TracingKey = z.output<typeof tracingKey>

export const listTracingKeys = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/tracing-keys',
  tag: 'Tracing keys',
  summary: 'List the tracing keys of a project, newest first, revoked ones included',
  access: { by: 'session', of: 'project' },
  cost: 'cheap',
  params: inProject,
  success: { status: 200, data: limitedList(tracingKey, 'tracingKeysPerProject') },
})

export const createTracingKey = endpoint({
  method: 'POST',
  path: '/projects/{projectId}/tracing-keys',
  tag: 'Tracing keys',
  summary: 'Create a key; the full key appears in this response and never again',
  description: `In a project with ${limits.tracingKeysPerProject.value} keys, a new one replaces the key that was revoked first; if none is revoked, the response is \`CONFLICT\`.`,
  access: { by: 'session', of: 'project', anyOf: ['manage_org_settings'] },
  cost: 'cheap',
  params: inProject,
  body: appBody(
    z.object({
      name: label.default('Tracing key'),
      environment: z.enum(['live', 'test']).default('live'),
    }),
  ),
  success: { status: 201, data: tracingKey.extend({ key: z.string() }) },
  errors: ['CONFLICT'],
})

export const revokeTracingKey = endpoint({
  method: 'DELETE',
  path: '/projects/{projectId}/tracing-keys/{keyId}',
  tag: 'Tracing keys',
  summary: 'Revoke a key permanently, effective from the next request',
  access: { by: 'session', of: 'project', anyOf: ['manage_org_settings'] },
  cost: 'cheap',
  params: inProject.extend({ keyId: pathId }),
  success: revoked,
  // Specification, "Input failures that surface as 500": an unknown or already revoked key.
  errors: ['INTERNAL_ERROR'],
})
