import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { appBody } from './fields.ts'

/*
 * Taking a session over to the other product, where the two have hosts of their own: the target begins and keeps
 * a cookie, the host where the person is signed in gives a code for that beginning, the target redeems it.
 */

export const startSessionTransfer = endpoint({
  method: 'POST',
  path: '/auth/session-transfer/start',
  tag: 'Sign-in',
  product: 'both',
  summary: "Begin to take over a session from the other product's host",
  description:
    'Called on the host that needs the session. Sets a cookie and answers where to send the browser: a page of the other product, which asks for a code for `state`.',
  access: { by: 'anonymous' },
  success: { status: 200, data: z.object({ state: z.string(), url: z.string() }) },
})

export const createSessionTransfer = endpoint({
  method: 'POST',
  path: '/auth/session-transfer',
  tag: 'Sign-in',
  product: 'both',
  summary: 'Give this session to the other product: a code for 60 seconds',
  description:
    'Called on the host where the person is signed in. `url` is the page of the other product that redeems the code, with the code in its fragment.',
  access: { by: 'session' },
  body: appBody(
    z.object({
      state: z.string().regex(/^[0-9a-f]{64}$/, 'must be the state of a session transfer'),
    }),
  ),
  success: { status: 200, data: z.object({ code: z.string(), url: z.string() }) },
})

export const redeemSessionTransfer = endpoint({
  method: 'POST',
  path: '/auth/session-transfer/redeem',
  tag: 'Sign-in',
  product: 'both',
  summary: 'Be signed in here with a code from the other product',
  description:
    'Called on the host that began, by the same browser, once. Sets the session cookie; it is the same session on both hosts and ends on both.',
  access: { by: 'anonymous' },
  body: appBody(z.object({ code: z.string() })),
  success: { status: 200, data: z.object({ signed_in: z.literal(true) }) },
  errors: ['NOT_FOUND'],
})
