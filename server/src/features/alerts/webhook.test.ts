import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
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

test('the code of the guide accepts what is signed, and nothing else', async () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../../docs/guides/alerts.md'), 'utf8')
  const [, code = ''] = /^```js\n(.*?)^```$/ms.exec(guide) ?? []
  const folder = mkdtempSync(join(tmpdir(), 'assay-guide-'))
  try {
    const file = join(folder, 'receiver.mjs')
    writeFileSync(file, code)
    const { isGenuine } = (await import(pathToFileURL(file).href)) as Receiver
    const headers = signatureHeaders('message-1', new Date(), '{"a":1}', { secret })
    expect(isGenuine(headers, '{"a":1}', secret)).toBe(true)
    expect(isGenuine(headers, '{"a":2}', secret)).toBe(false)
    expect(isGenuine(headers, '{"a":1}', newWebhook('https://x.org').secret)).toBe(false)
    expect(isGenuine({ ...headers, 'webhook-id': 'message-2' }, '{"a":1}', secret)).toBe(false)
    const old = signatureHeaders('message-1', new Date(Date.now() - 600_000), '{"a":1}', { secret })
    expect(isGenuine(old, '{"a":1}', secret)).toBe(false)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

interface Receiver {
  readonly isGenuine: (
    headers: Readonly<Record<string, string>>,
    body: string,
    secret: string,
  ) => boolean
}
