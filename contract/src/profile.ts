import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { appBody, id, label, limitedList, password, pathId, revoked, timestamp } from './fields.ts'
import { user } from './sign-in.ts'

/*
 * The caller's own account: name, password and sessions.
 */

export const updateProfile = endpoint({
  method: 'PATCH',
  path: '/auth/profile',
  tag: 'Profile',
  product: 'both',
  summary: 'Change your name',
  access: { by: 'session' },
  cost: 'cheap',
  body: appBody(z.object({ name: label })),
  success: { status: 200, data: z.object({ user }) },
  errors: ['RATE_LIMITED'],
})

export const changePassword = endpoint({
  method: 'POST',
  path: '/auth/password',
  tag: 'Profile',
  product: 'both',
  summary: 'Change your password, with the current one',
  description: 'Ends all your sessions and starts a new one.',
  access: { by: 'session' },
  cost: 'expensive',
  body: appBody(z.object({ current_password: z.string(), new_password: password })),
  success: { status: 200, data: z.object({ password_changed: z.literal(true) }) },
  errors: ['RATE_LIMITED'],
})

export const session = z
  .object({
    id,
    is_current: z.boolean(),
    method: z.enum(['password', 'sso']),
    created_at: timestamp,
    last_seen_at: timestamp.describe('accurate to a few minutes'),
    expires_at: timestamp.describe('the session ends earlier when idle'),
    ip: z.string().describe('IP address at sign-in'),
    user_agent: z.string().nullable(),
  })
  .meta({ id: 'Session' })
export type Session = z.output<typeof session>

export const listSessions = endpoint({
  method: 'GET',
  path: '/auth/sessions',
  tag: 'Profile',
  product: 'both',
  summary: 'List your sessions, most recently used first',
  access: { by: 'session' },
  cost: 'cheap',
  success: { status: 200, data: limitedList(session, 'sessionsPerUser') },
})

export const revokeSession = endpoint({
  method: 'DELETE',
  path: '/auth/sessions/{sessionId}',
  tag: 'Profile',
  product: 'both',
  summary: 'End one of your sessions',
  access: { by: 'session' },
  cost: 'cheap',
  params: z.object({ sessionId: pathId }),
  success: revoked,
  errors: ['NOT_FOUND'],
})

export const revokeOtherSessions = endpoint({
  method: 'DELETE',
  path: '/auth/sessions',
  tag: 'Profile',
  product: 'both',
  summary: 'End all your other sessions',
  access: { by: 'session' },
  cost: 'cheap',
  success: { status: 200, data: z.object({ status: z.literal('revoked'), count: z.int() }) },
})
