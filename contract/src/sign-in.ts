import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { anonymousBody, email, id, label, password, returnPath, timestamp } from './fields.ts'
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

const products = z
  .object({ tracing: z.url(), chat: z.url() })
  .describe('the origin of each product, without a trailing slash')

export const readSetup = endpoint({
  method: 'GET',
  path: '/setup',
  tag: 'Sign-in',
  product: 'both',
  summary: 'Check whether the service is set up, and where its products are',
  access: {
    by: 'anonymous',
    bounds: { work: 'query', rowsRead: 1, rowsAdded: 0, rateLimit: 'lookups' },
  },
  cost: 'cheap',
  success: {
    status: 200,
    data: z.object({
      needed: z.boolean(),
      mail_configured: z.boolean().describe('whether passwords can be reset by mail'),
      products,
    }),
  },
  errors: ['RATE_LIMITED'],
})

export const checkSetupToken = endpoint({
  method: 'POST',
  path: '/setup/check',
  tag: 'Sign-in',
  product: 'both',
  summary: 'Check the token of a set-up link',
  description: 'Returns the errors that `POST /setup` returns for this token.',
  access: {
    by: 'anonymous',
    bounds: { work: 'query', rowsRead: 1, rowsAdded: 0, rateLimit: 'setUp' },
  },
  cost: 'cheap',
  body: anonymousBody(z.object({ token: z.string() })),
  success: { status: 200, data: z.object({ valid: z.literal(true) }) },
  errors: ['FORBIDDEN', 'CONFLICT', 'RATE_LIMITED'],
})

export const setUp = endpoint({
  method: 'POST',
  path: '/setup',
  tag: 'Sign-in',
  product: 'both',
  summary: 'Create the first person, organization, project and tracing key',
  description:
    'Works once, with the token of the set-up link. The person becomes super admin and Owner, with a verified address, and is signed in. `tracing_key` is the full key, shown only here.',
  access: {
    by: 'anonymous',
    bounds: { work: 'password', rowsRead: 1, rowsAdded: 0, rateLimit: 'setUp' },
  },
  cost: 'expensive',
  body: anonymousBody(
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
  errors: ['FORBIDDEN', 'CONFLICT', 'RATE_LIMITED'],
})

export const signUp = endpoint({
  method: 'POST',
  path: '/auth/sign-up',
  tag: 'Sign-in',
  product: 'both',
  summary: 'Create an account for an approved or invited address and sign in',
  description:
    'The address must be approved under platform access, or be the address of `invite_token`, which is then accepted. The address is not verified by this. Refused attempts are rate limited per network.',
  access: {
    by: 'anonymous',
    bounds: { work: 'password', rowsRead: 10, rowsAdded: 6, rateLimit: 'network' },
  },
  cost: 'expensive',
  body: anonymousBody(
    z.object({ email, password, name: label, invite_token: z.string().optional() }),
  ),
  success: { status: 201, data: z.object({ user }) },
  errors: ['CONFLICT', 'PLATFORM_ACCESS_REQUIRED', 'NOT_FOUND', 'RATE_LIMITED'],
})

export const signIn = endpoint({
  method: 'POST',
  path: '/auth/sign-in',
  tag: 'Sign-in',
  product: 'both',
  summary: 'Sign in with e-mail address and password',
  description:
    'Sets the session cookie; the token is not in the body. After failed attempts at one address or from one network, further attempts have to wait, each time longer.',
  access: {
    by: 'anonymous',
    bounds: { work: 'password', rowsRead: 3, rowsAdded: 2, rateLimit: 'address' },
  },
  cost: 'expensive',
  body: anonymousBody(z.object({ email: z.string(), password: z.string() })),
  success: { status: 200, data: z.object({ user }) },
  errors: ['UNAUTHORIZED', 'RATE_LIMITED'],
})

export const signOut = endpoint({
  method: 'POST',
  path: '/auth/sign-out',
  tag: 'Sign-in',
  product: 'both',
  summary: 'End this session',
  access: { by: 'session' },
  cost: 'cheap',
  success: { status: 200, data: z.object({ signed_out: z.literal(true) }) },
})

export const readSession = endpoint({
  method: 'GET',
  path: '/auth/session',
  tag: 'Sign-in',
  product: 'both',
  summary: 'Read the signed-in person, the end of the session and where the products are',
  access: { by: 'session' },
  cost: 'cheap',
  success: { status: 200, data: z.object({ user, expires_at: timestamp, products }) },
})

export const requestPasswordReset = endpoint({
  method: 'POST',
  path: '/auth/password-reset/request',
  tag: 'Sign-in',
  product: 'both',
  summary: 'Send a password link by mail',
  description:
    'The response is the same whether or not the address has an account. 503 if mail is not configured.',
  access: {
    by: 'anonymous',
    bounds: { work: 'mail', rowsRead: 5, rowsAdded: 3, rateLimit: 'network' },
  },
  cost: 'expensive',
  body: anonymousBody(
    z.object({
      email,
      return_to: returnPath
        .default('/')
        .describe('the page to open after the sign-in with the new password'),
    }),
  ),
  success: { status: 200, data: z.object({ requested: z.literal(true) }) },
  errors: ['INTERNAL_ERROR 503', 'RATE_LIMITED'],
})

export const checkPasswordReset = endpoint({
  method: 'POST',
  path: '/auth/password-reset/check',
  tag: 'Sign-in',
  product: 'both',
  summary: 'Check the token of a password link',
  description: 'Leaves the link as it is. Attempts are rate limited per network.',
  access: {
    by: 'anonymous',
    bounds: { work: 'query', rowsRead: 1, rowsAdded: 0, rateLimit: 'network' },
  },
  cost: 'cheap',
  body: anonymousBody(z.object({ token: z.string() })),
  success: { status: 200, data: z.object({ valid: z.literal(true) }) },
  errors: ['NOT_FOUND', 'RATE_LIMITED'],
})

export const confirmPasswordReset = endpoint({
  method: 'POST',
  path: '/auth/password-reset/confirm',
  tag: 'Sign-in',
  product: 'both',
  summary: 'Set a new password with the token of a password link',
  description:
    'The link works once, within an hour. Ends all sessions of the person and starts none. Attempts are rate limited per network.',
  access: {
    by: 'anonymous',
    bounds: { work: 'query', rowsRead: 1, rowsAdded: 0, rateLimit: 'network' },
  },
  cost: 'expensive',
  body: anonymousBody(z.object({ token: z.string(), password })),
  success: { status: 200, data: z.object({ password_changed: z.literal(true) }) },
  errors: ['NOT_FOUND', 'RATE_LIMITED'],
})
