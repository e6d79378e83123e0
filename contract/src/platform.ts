import { z } from 'zod'
import { auditLine, auditQuery } from './audit-log.ts'
import { endpoint } from './endpoint.ts'
import { appBody, id, pageMeta, pageQuery, timestamp } from './fields.ts'
import { limits } from './limits.ts'

/*
 * What concerns the whole service and no single organization: for super admins.
 */

export const platformAccess = z
  .object({
    id,
    pattern: z.string(),
    added_by: z.string().nullable().describe('address of a super admin; null for the command line'),
    created_at: timestamp,
  })
  .meta({ id: 'PlatformAccess' })
export type PlatformAccess = z.output<typeof platformAccess>

export const accessPattern = z
  .string()
  .trim()
  .max(limits.emailLength.value)
  .regex(/^[^\s@]*@[^\s@]+\.[^\s@]+$/, 'must be an address (ana@x.org) or a domain (@x.org)')

export const listPlatformAccess = endpoint({
  method: 'GET',
  path: '/platform/access',
  tag: 'Platform',
  summary: 'List the addresses and domains that may have accounts, by name',
  access: { by: 'session', of: 'platform' },
  success: { status: 200, data: z.array(platformAccess) },
})

export const addPlatformAccess = endpoint({
  method: 'POST',
  path: '/platform/access',
  tag: 'Platform',
  summary: 'Approve an address, or all addresses of a domain',
  access: { by: 'session', of: 'platform' },
  body: appBody(z.object({ pattern: accessPattern })),
  success: { status: 201, data: platformAccess },
  errors: ['CONFLICT'],
})

export const removePlatformAccess = endpoint({
  method: 'DELETE',
  path: '/platform/access/{accessId}',
  tag: 'Platform',
  summary: 'Take an approval back; accounts that exist stay',
  access: { by: 'session', of: 'platform' },
  params: z.object({ accessId: z.string() }),
  success: { status: 200, data: z.object({ status: z.literal('removed') }) },
  errors: ['NOT_FOUND'],
})

export const account = z
  .object({
    id,
    email: z.string(),
    email_verified_at: timestamp.nullable(),
    name: z.string(),
    is_super_admin: z.boolean(),
    has_password: z.boolean(),
    disabled_at: timestamp.nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'Account' })
export type Account = z.output<typeof account>

const inAccount = z.object({ userId: z.string() })

export const listAccounts = endpoint({
  method: 'GET',
  path: '/platform/users',
  tag: 'Platform',
  summary: 'List the people who have accounts, by address',
  access: { by: 'session', of: 'platform' },
  query: pageQuery.extend({
    q: z.string().max(limits.emailLength.value).optional().describe('part of address or name'),
  }),
  success: { status: 200, data: z.array(account), meta: pageMeta },
})

export const updateAccount = endpoint({
  method: 'PATCH',
  path: '/platform/users/{userId}',
  tag: 'Platform',
  summary: 'Disable a person, which ends all their sessions, or enable them again',
  description: 'Nobody disables themselves, and the last super admin who can sign in stays.',
  access: { by: 'session', of: 'platform' },
  params: inAccount,
  body: appBody(z.object({ disabled: z.boolean() })),
  success: { status: 200, data: account },
  errors: ['NOT_FOUND'],
})

export const listSuperAdmins = endpoint({
  method: 'GET',
  path: '/platform/super-admins',
  tag: 'Platform',
  summary: 'List the super admins, by address',
  access: { by: 'session', of: 'platform' },
  success: { status: 200, data: z.array(account) },
})

export const grantSuperAdmin = endpoint({
  method: 'PUT',
  path: '/platform/super-admins/{userId}',
  tag: 'Platform',
  summary: 'Make a person super admin; their sessions end',
  access: { by: 'session', of: 'platform' },
  params: inAccount,
  success: { status: 200, data: account },
  errors: ['NOT_FOUND'],
})

export const revokeSuperAdmin = endpoint({
  method: 'DELETE',
  path: '/platform/super-admins/{userId}',
  tag: 'Platform',
  summary: 'Make a super admin an ordinary person; their sessions end',
  description: 'The last super admin who can sign in stays.',
  access: { by: 'session', of: 'platform' },
  params: inAccount,
  success: { status: 200, data: account },
  errors: ['NOT_FOUND'],
})

export const listPlatformAuditLog = endpoint({
  method: 'GET',
  path: '/platform/audit-log',
  tag: 'Platform',
  summary: 'Who did what that concerns no single organization: sign-ins, approvals, super admins',
  access: { by: 'session', of: 'platform' },
  query: auditQuery,
  success: { status: 200, data: z.array(auditLine), meta: pageMeta },
})
