import { z } from 'zod'
import { fromMemory } from './anonymous-bounds.ts'
import { endpoint } from './endpoint.ts'
import { anonymousBody, appBody } from './fields.ts'

/*
 * The transfer of a session to the host of the other product: the target host starts it and sets a cookie, the host
 * where the user is signed in issues a code for it, and the target host redeems the code.
 */

export const startSessionTransfer = endpoint({
  method: 'POST',
  path: '/auth/session-transfer/start',
  tag: 'Sign-in',
  product: 'both',
  summary: 'Start a session transfer from the host of the other product',
  description:
    'Called on the host that needs the session. Sets a cookie and returns where to send the browser: a page of the other product, which requests a code for `state`.',
  access: { by: 'anonymous', bounds: fromMemory },
  cost: 'cheap',
  success: { status: 200, data: z.object({ state: z.string(), url: z.string() }) },
})

export const createSessionTransfer = endpoint({
  method: 'POST',
  path: '/auth/session-transfer',
  tag: 'Sign-in',
  product: 'both',
  summary: 'Create a code, valid for 60 seconds, that transfers this session to the other product',
  description:
    'Called on the host where the user is signed in. `url` is the page of the other product that redeems the code, with the code in its fragment.',
  access: { by: 'session' },
  cost: 'cheap',
  body: appBody(
    z.object({
      state: z.string().regex(/^[0-9a-f]{64}$/, 'must be the state of a session transfer'),
    }),
  ),
  success: { status: 200, data: z.object({ code: z.string(), url: z.string() }) },
  errors: ['RATE_LIMITED'],
})

export const redeemSessionTransfer = endpoint({
  method: 'POST',
  path: '/auth/session-transfer/redeem',
  tag: 'Sign-in',
  product: 'both',
  summary: 'Redeem a session transfer code',
  description:
    'Called once, on the host that started the transfer, by the same browser. Sets the session cookie; it is the same session on both hosts and ends on both.',
  access: {
    by: 'anonymous',
    bounds: { work: 'query', rowsRead: 1, rowsAdded: 0, rateLimit: 'token' },
  },
  cost: 'cheap',
  body: anonymousBody(z.object({ code: z.string() })),
  success: { status: 200, data: z.object({ signed_in: z.literal(true) }) },
  errors: ['NOT_FOUND', 'RATE_LIMITED'],
})
