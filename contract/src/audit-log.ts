import { z } from 'zod'
import { type AuditAction, auditActions, auditTargets } from './audit.ts'
import { endpoint } from './endpoint.ts'
import { id, inOrganization, pageMeta, pageQuery, requestTimestamp, timestamp } from './fields.ts'

const actions = Object.keys(auditActions) as [AuditAction, ...AuditAction[]]

export const auditLine = z
  .object({
    id,
    at: timestamp,
    count: z
      .int()
      .describe('events that the entry stands for; members in which they differ are null'),
    last_at: timestamp.describe('when the last of them happened'),
    actor: z.object({
      kind: z
        .enum(['user', 'set-up', 'command line', 'anonymous'])
        .describe('`anonymous`: the actor is unknown, as for a failed sign-in'),
      user_id: id.nullable(),
      email: z.string().nullable().describe('at the time of the event'),
    }),
    action: z.enum(actions),
    target: z.object({ kind: z.enum(auditTargets), id: z.string().nullable() }),
    client_address: z.string().nullable(),
    user_agent: z.string().nullable(),
    request_id: z.string().nullable(),
    details: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'AuditLine' })
export type AuditLine = z.output<typeof auditLine>

const filters = z.object({
  action: z.enum(actions).optional(),
  actor: z.string().optional().describe('`user_id` of the actor'),
  from: requestTimestamp.optional().describe('entries with events at this time or later'),
  to: requestTimestamp.optional().describe('before this time'),
})

export const auditQuery = filters.extend(pageQuery.shape)

export const listAuditLog = endpoint({
  method: 'GET',
  path: '/orgs/{orgId}/audit-log',
  tag: 'Audit log',
  summary: 'List the audit log of an organization, newest first',
  access: { by: 'session', of: 'organization', anyOf: ['manage_org_settings'] },
  cost: 'cheap',
  params: inOrganization,
  query: auditQuery,
  success: { status: 200, data: z.array(auditLine), meta: pageMeta },
})

export const exportAuditLog = endpoint({
  method: 'GET',
  path: '/orgs/{orgId}/audit-log/export',
  tag: 'Audit log',
  summary: 'Export the audit log as JSON lines, newest first',
  access: { by: 'session', of: 'organization', anyOf: ['manage_org_settings'] },
  cost: 'expensive',
  params: inOrganization,
  query: filters,
  reply: 'json-lines',
  success: { status: 200, data: auditLine },
})
