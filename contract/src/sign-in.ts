import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { appBody, email, id, label, password, timestamp } from './fields.ts'
import { organization, project } from './organizations.ts'

export const user = z
  .object({
    id,
    email: z.string(),
    name: z.string(),
    is_super_admin: z.boolean(),
  })
  .meta({ id: 'User' })
export type User = z.output<typeof user>

export const readSetup = endpoint({
  method: 'GET',
  path: '/setup',
  tag: 'Sign-in',
  product: 'both',
  summary: 'Whether the service still waits for its first person',
  access: { by: 'nobody' },
  success: { status: 200, data: z.object({ needed: z.boolean() }) },
})

export const setUp = endpoint({
  method: 'POST',
  path: '/setup',
  tag: 'Sign-in',
  product: 'both',
  summary: 'Create the first person, organization, project and tracing key',
  description:
    'Possible once, with the token of the set-up link. The person becomes super admin and Owner and is signed in. `tracing_key` is the full key, shown only here.',
  access: { by: 'nobody' },
  body: appBody(
    z.object({
      token: z.string(),
      email,
      password,
      name: label,
      organization_name: label,
      project_name: label,
    }),
  ),
  success: {
    status: 201,
    data: z.object({ user, organization, project, tracing_key: z.string() }),
  },
  errors: ['FORBIDDEN', 'CONFLICT'],
})

export const signIn = endpoint({
  method: 'POST',
  path: '/auth/sign-in',
  tag: 'Sign-in',
  product: 'both',
  summary: 'Sign in with e-mail address and password',
  description: 'Sets the session cookie. The token is in no body.',
  access: { by: 'nobody' },
  body: appBody(z.object({ email: z.string(), password: z.string() })),
  success: { status: 200, data: z.object({ user }) },
  errors: ['UNAUTHORIZED'],
})

export const signOut = endpoint({
  method: 'POST',
  path: '/auth/sign-out',
  tag: 'Sign-in',
  product: 'both',
  summary: 'End this session',
  access: { by: 'session' },
  success: { status: 200, data: z.object({ signed_out: z.literal(true) }) },
})

export const readSession = endpoint({
  method: 'GET',
  path: '/auth/session',
  tag: 'Sign-in',
  product: 'both',
  summary: 'Who is signed in, and until when',
  access: { by: 'session' },
  success: { status: 200, data: z.object({ user, expires_at: timestamp }) },
})
