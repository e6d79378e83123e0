import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { openSecretBox } from '../../platform/secret-box.ts'
import { newWebhook, openWebhook, sealWebhook, signatureHeaders } from './webhook.ts'

const secret = `whsec_${Buffer.from('the key of this test').toString('base64')}`

test('a request is signed over its id, its second and its body, with the key of the webhook', () => {
  const at = new Date('2026-05-01T08:00:00.700Z')
  const signed = 'message-1.1777622400.{"a":1}'
  const hmac = createHmac('sha256', 'the key of this test').update(signed).digest('base64')
  expect(signatureHeaders('message-1', at, '{"a":1}', { secret })).toEqual({
    'webhook-id': 'message-1',
    'webhook-timestamp': '1777622400',
    'webhook-signature': `v1,${hmac}`,
  })
})

test('each webhook has its own secret, sealed together with its URL for its rule', () => {
  const box = openSecretBox(['a master secret of at least thirty characters'])
  const url = 'https://hooks.example.org/token-in-the-path'
  const webhook = newWebhook(url)
  expect(webhook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(newWebhook(url).secret).not.toBe(webhook.secret)
  const rule = { id: 'a', organization_id: 'o' }
  const sealed = sealWebhook(webhook, rule, box)
  expect(sealed).not.toContain('token-in-the-path')
  expect(openWebhook({ ...rule, webhook: sealed }, box)).toEqual(webhook)
  expect(() => openWebhook({ ...rule, id: 'b', webhook: sealed }, box)).toThrow(/moved/)
  expect(openWebhook({ ...rule, webhook: null }, box)).toBeNull()
})
