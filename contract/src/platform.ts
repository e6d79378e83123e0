import { z } from 'zod'
import { auditLine, auditQuery } from './audit-log.ts'
import { endpoint } from './endpoint.ts'
import {
  appBody,
  id,
  limitedList,
  pageMeta,
  pageQuery,
  pathId,
  removed,
  revoked,
  timestamp,
} from './fields.ts'
import { limits } from './limits.ts'

/*
 * Endpoints for super admins, about the whole service rather than one organization.
 */

export const platformAccess = z
  .object({
    id,
    pattern: z.string(),
    added_by: z
      .string()
      .nullable()
      .describe('e-mail address of a super admin; null for the command line'),
    created_at: timestamp,
  })
  .meta({ id: 'PlatformAccess' })
export type PlatformAccess = z.output<typeof platformAccess>

/** The domain of a pattern such as `*@x.org`, or an example. */
function domainIn(pattern: unknown): string {
  return /@[^\s@*]+\.[^\s@*]+$/.exec(String(pattern))?.[0] ?? '@x.org'
}

export const accessPattern = z
  .string()
  .trim()
  .max(limits.emailLength.value)
  .regex(/^[^*]*$/, {
    error: ({ input }) =>
      `must not contain *. To approve all addresses of a domain, write ${domainIn(input)}`,
  })
  .regex(/^[^\s@]*@[^\s@]+\.[^\s@]+$/, 'must be an address (ana@x.org) or a domain (@x.org)')

export const listPlatformAccess = endpoint({
  method: 'GET',
  path: '/platform/access',
  tag: 'Platform',
  summary: 'List the approved addresses and domains, sorted',
  access: { by: 'session', of: 'platform' },
  cost: 'cheap',
  success: { status: 200, data: limitedList(platformAccess, 'platformAccess') },
})

export const addPlatformAccess = endpoint({
  method: 'POST',
  path: '/platform/access',
  tag: 'Platform',
  summary: 'Approve an address, or all addresses of a domain',
  access: { by: 'session', of: 'platform' },
  cost: 'cheap',
  body: appBody(z.object({ pattern: accessPattern })),
  success: { status: 201, data: platformAccess },
  errors: ['CONFLICT'],
})

export const removePlatformAccess = endpoint({
  method: 'DELETE',
  path: '/platform/access/{accessId}',
  tag: 'Platform',
  summary: 'Remove an approval; existing accounts stay',
  access: { by: 'session', of: 'platform' },
  cost: 'cheap',
  params: z.object({ accessId: pathId }),
  success: removed,
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

const inAccount = z.object({ userId: pathId })

export const listAccounts = endpoint({
  method: 'GET',
  path: '/platform/users',
  tag: 'Platform',
  summary: 'List all accounts, sorted by e-mail address',
  access: { by: 'session', of: 'platform' },
  cost: 'cheap',
  query: pageQuery.extend({
    q: z
      .string()
      .max(limits.emailLength.value)
      .optional()
      .describe('part of the e-mail address or name'),
  }),
  success: { status: 200, data: z.array(account), meta: pageMeta },
})

export const updateAccount = endpoint({
  method: 'PATCH',
  path: '/platform/users/{userId}',
  tag: 'Platform',
  summary: 'Disable an account and end its sessions, or enable it again',
  description: 'You cannot disable your own account or the last active super admin.',
  access: { by: 'session', of: 'platform' },
  cost: 'cheap',
  params: inAccount,
  body: appBody(z.object({ disabled: z.boolean() })),
  success: { status: 200, data: account },
  errors: ['NOT_FOUND'],
})

export const listSuperAdmins = endpoint({
  method: 'GET',
  path: '/platform/super-admins',
  tag: 'Platform',
  summary: 'List the super admins, sorted by e-mail address',
  access: { by: 'session', of: 'platform' },
  cost: 'cheap',
  success: { status: 200, data: limitedList(account, 'superAdmins') },
})

export const grantSuperAdmin = endpoint({
  method: 'PUT',
  path: '/platform/super-admins/{userId}',
  tag: 'Platform',
  summary: 'Make a person super admin and end their sessions',
  access: { by: 'session', of: 'platform' },
  cost: 'cheap',
  params: inAccount,
  success: { status: 200, data: account },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const revokeSuperAdmin = endpoint({
  method: 'DELETE',
  path: '/platform/super-admins/{userId}',
  tag: 'Platform',
  summary: 'Remove super admin rights and end the sessions of the person',
  description: 'The last active super admin cannot be removed.',
  access: { by: 'session', of: 'platform' },
  cost: 'cheap',
  params: inAccount,
  success: revoked,
  errors: ['NOT_FOUND'],
})

export const listPlatformAuditLog = endpoint({
  method: 'GET',
  path: '/platform/audit-log',
  tag: 'Platform',
  summary: 'List platform events, newest first: sign-ins, approvals, super admins',
  access: { by: 'session', of: 'platform' },
  cost: 'cheap',
  query: auditQuery,
  success: { status: 200, data: z.array(auditLine), meta: pageMeta },
})
