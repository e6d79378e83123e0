import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { calcPrice, waitForUpdate } from '@pydantic/genai-prices'
import { describe, expect, test } from 'vitest'
import { findListed, listVersion } from './price-list.ts'
import { cardAt, costOfCall } from './token-rates.ts'

const providers = (await waitForUpdate()) ?? []
const rows = providers.flatMap(({ id, models }) => models.map((model) => [id, model.id] as const))

const instants = ['2024-06-01T12:00:00Z', '2026-02-01T03:00:00Z', '2026-11-01T17:00:00Z']
const usages = [
  { input_tokens: 1000, output_tokens: 300 },
  { input_tokens: 150_000, output_tokens: 1, cache_read_tokens: 100_000 },
  { input_tokens: 600_000, output_tokens: 7, cache_read_tokens: 5, cache_write_tokens: 90_000 },
  { input_tokens: 300, cache_write_tokens: 200, cache_write_1h_tokens: 50, output_tokens: 0 },
]

describe('the price list', () => {
  test('reports the release date of its data with each price', () => {
    const main = createRequire(import.meta.url).resolve('@pydantic/genai-prices')
    const text = readFileSync(join(main, '../../package.json'), 'utf8')
    expect((JSON.parse(text) as { version: string }).version).toBe(listVersion)
  })

  test('computes the same cost as its own library for every model, at any time and length', () => {
    const wrong: unknown[] = []
    let compared = 0
    for (const [provider, model] of rows) {
      const ours = findListed(provider, model.toLowerCase())
      for (const instant of instants) {
        const timestamp = new Date(instant)
        for (const usage of usages) {
          const theirs = calcPrice(usage, model, { providerId: provider, timestamp })
          if (theirs === null || theirs.model.id !== ours?.model) continue
          const card = cardAt(ours.schedule, BigInt(timestamp.getTime()) * 1_000_000n)?.card
          if (card === null || card === undefined) continue
          const cost = costOfCall(card, toTokens(usage), { factor: 1, isSum: false }) ?? Number.NaN
          compared += 1
          // The library sums in floating point; we round the price of a million tokens to a millionth of a
          // dollar.
          if (!(Math.abs(cost - theirs.total_price) <= 1e-5 * theirs.total_price + 1e-12)) {
            wrong.push([provider, model, instant, usage, cost, theirs.total_price])
          }
        }
      }
    }
    expect(wrong).toEqual([])
    expect(compared).toBeGreaterThan(15_000)
  })

  test.each([
    ['anthropic', 'claude-sonnet-5-5'],
    ['anthropic', 'claude-opus-4-15'],
    ['google', 'gemini-2.5-pro-ultra'],
    ['azure', 'o4-mini-deep-research'],
    ['deepseek', 'deepseek-r1-distill-llama-70b'],
    ['unknown', 'gpt-4o'],
    ['constructor', 'gpt-4o'],
  ])('%s: %s does not match a model that is only its prefix', (provider, name) => {
    const found = findListed(provider, name)
    expect(found?.model).not.toBe('claude-sonnet-5')
    expect(found === undefined || found.model === name).toBe(true)
  })
})

function toTokens(usage: Readonly<Record<string, number>>) {
  return {
    tokensIn: usage['input_tokens'] ?? null,
    tokensOut: usage['output_tokens'] ?? null,
    tokensCacheRead: usage['cache_read_tokens'] ?? null,
    tokensCacheWrite: usage['cache_write_tokens'] ?? null,
    tokensCacheWrite1h: usage['cache_write_1h_tokens'] ?? null,
    tokensReasoning: null,
  }
}
