import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { recorded, recordings } from '../../../test/recorded.ts'
import { pricerFor } from '../../models/pricer.ts'

/*
 * Recorded requests of real clients, with prices.
 */

/** Of clients of other providers, which the fake one answers with a model of OpenAI. */
const unpriced: readonly string[] = ['openinference-groq.pb.gz', 'openinference-mistral.pb.gz']

const names = readdirSync(recordings).filter(
  (name) => name.endsWith('.pb.gz') && !unpriced.includes(name),
)

const modelCalls = ['llm', 'embedding', 'reranker']

describe('the calls of a real client', () => {
  test.each(names)("%s are all priced, and match the client's own cost if it has one", (name) => {
    const { priced } = pricerFor('')
    const calls = recorded(name)
      .filter(({ kind, tokensIn }) => modelCalls.includes(kind) && tokensIn !== null)
      .map(priced)
    for (const { model, costUsd, costSource, computedCostUsd, unpricedReason } of calls) {
      expect([model, unpricedReason]).toEqual([model, null])
      expect(computedCostUsd).toBeGreaterThan(0)
      if (costSource === 'reported') expect(computedCostUsd).toBeCloseTo(costUsd ?? 0, 12)
    }
  })
})
