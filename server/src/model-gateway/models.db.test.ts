import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openTestAccounts, type TestAccounts } from '../../test/accounts-database.ts'
import { clockAt } from '../../test/clock-at.ts'
import { addTenant } from '../../test/people.ts'
import { runningModel } from '../../test/scripted-model-suite.ts'
import type { PlatformModelSettings } from '../platform/model-settings.ts'
import { nothingAllowed } from '../platform/network-rules.ts'
import { openSecretBox } from '../platform/secret-box.ts'
import { openModelOutbound } from './model-outbound.ts'
import { openModels } from './models.ts'

let opened: TestAccounts
const scripted = runningModel()
beforeAll(async () => {
  opened = await openTestAccounts('SQLite')
})
afterAll(() => opened.remove())

let now = Date.parse('2026-01-31T12:00:00Z')

const settings = (changes: Partial<PlatformModelSettings> = {}): PlatformModelSettings => ({
  ...{ provider: 'openai', model: 'gpt-4o-mini', apiKey: 'sk-of-the-operator' },
  ...{ baseUrl: scripted.url, allowanceUsd: 0.2, ...changes },
})

function open(platformModel: PlatformModelSettings | undefined) {
  const outbound = openModelOutbound(nothingAllowed)
  const box = openSecretBox(['a master secret for these tests'])
  return openModels({
    ...{ accounts: opened.accounts, box, outbound, platformModel },
    clock: clockAt(() => now),
  })
}

/** Answers of 1 million input tokens cost 0.15 dollars. */
const call = {
  ...{ system: '', maxOutputTokens: 10 },
  messages: [{ role: 'user', content: 'Why?' }],
  ...{ schema: z.object({ why: z.string() }), signal: new AbortController().signal },
} as const
const costly = { answer: { why: 'x' }, usage: { input: 1_000_000, output: 0, cacheRead: 0 } }

describe('the platform model', () => {
  test('is not available unless the operator has configured it', async () => {
    const { organizationId } = await addTenant(opened.accounts)
    expect(await open(undefined).platformModel(organizationId)).toEqual({
      unavailable: 'This service has no model of its own.',
    })
  })

  test('answers until the allowance of the organization and the month is used up', async () => {
    const acme = await addTenant(opened.accounts)
    const globex = await addTenant(opened.accounts)
    const models = open(settings())
    scripted.always(costly)
    const first = await models.platformModel(acme.organizationId)
    if (!('model' in first)) throw new Error(first.unavailable)
    expect(await models.generate(first.model, call)).toMatchObject({ costUsd: 0.15 })
    expect(await models.generate(first.model, call)).toMatchObject({ costUsd: 0.15 })

    const usedUp = { unavailable: 'Your organization has used up its allowance of this month.' }
    expect(await models.platformModel(acme.organizationId)).toEqual(usedUp)
    const sent = scripted.requests.length
    await expect(models.generate(first.model, call)).rejects.toMatchObject({ kind: 'budget' })
    expect(scripted.requests).toHaveLength(sent)
    expect(await models.platformModel(globex.organizationId)).toHaveProperty('model')

    now = Date.parse('2026-02-01T00:00:00Z')
    expect(await models.platformModel(acme.organizationId)).toHaveProperty('model')
  })

  test('without a known price has no limit, so it is available only from a server of the operator', async () => {
    const { organizationId } = await addTenant(opened.accounts)
    const unknown = open(settings({ model: 'no-such-model' }))
    expect(await unknown.platformModel(organizationId)).toEqual({
      unavailable: "The service's own model has no known price.",
    })
    const own = open(settings({ provider: 'openai-compatible', model: 'qwen3', apiKey: null }))
    const found = await own.platformModel(organizationId)
    if (!('model' in found)) throw new Error(found.unavailable)
    scripted.always(costly)
    expect(await own.generate(found.model, call)).toMatchObject({ costUsd: 0 })
  })
})
