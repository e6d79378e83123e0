import { expect, test } from 'vitest'
import { startScriptedModel } from '../../test/scripted-model.ts'
import { allowedDestinations, nothingAllowed } from '../platform/network-rules.ts'
import type { Resolve } from '../platform/outbound-fetch.ts'
import { openModelOutbound } from './model-outbound.ts'

test('names that an organization makes slow to resolve delay its own requests only', async () => {
  const scripted = await startScriptedModel()
  const started: string[] = []
  const slow = Promise.withResolvers<never>()
  const resolve: Resolve = (host) => {
    started.push(host)
    return host.endsWith('.slow.test')
      ? slow.promise
      : Promise.resolve([{ address: '127.0.0.1', family: 4 }])
  }
  const allowed = allowedDestinations(['127.0.0.1']) ?? nothingAllowed
  const outbound = openModelOutbound(allowed, { resolve })
  const judged = [1, 2, 3, 4].map((n) => outbound('acme').judge(`https://m${n}.slow.test`))
  const url = scripted.url.replace('127.0.0.1', 'models.test')
  const { status } = await outbound('globex').fetch(`${url}/chat/completions`, { method: 'POST' })
  expect(status).toBe(200)
  expect(started).toEqual(['m1.slow.test', 'models.test'])
  slow.reject(new Error('no such host'))
  await Promise.all(judged)
  await scripted.close()
})
