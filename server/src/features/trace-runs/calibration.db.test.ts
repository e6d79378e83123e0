import { estimateCost } from '@assay/contract/cost-calculator.ts'
import { exportTraces } from '@assay/contract/otlp.ts'
import { extractAgent } from '@assay/contract/trace-runs.ts'
import { describe, expect, test } from 'vitest'
import {
  agentTokens,
  forEachSplit,
  predict,
  type Run,
  testedTasks,
} from '../../../../bench/estimates/backtest.ts'
import {
  type SentCall,
  type SentMessage,
  type SentRun,
  toOtlp,
  traceIdOf,
} from '../../../test/recorded-runs.ts'
import { runningService, signedInPerTest, tenantPerTest } from '../../../test/service-suite.ts'

/*
 * Estimates of an agent from recorded runs, which arrive as traces: as accurate as bench/estimates, whose targets are
 * those of estimates from known counts.
 */

const service = runningService()
const tenant = tenantPerTest(service)
const viewer = signedInPerTest(service, () => tenant.members.Viewer)

/** As many tokens in o200k. */
const text = (tokens: number) => `the${' the'.repeat(Math.max(tokens - 1, 0))}`

const tools = Array.from({ length: agentTokens.toolCount }, (_, n) => ({
  ...{ type: 'function', name: `tool_${n}`, parameters: { type: 'object', properties: {} } },
  description: text(agentTokens.tools / agentTokens.toolCount - 16),
}))

/** `scale`: tokens that the provider reports per token of o200k. */
function toSentRun(run: Run, traceId: string, scale: number): SentRun {
  const messages: SentMessage[] = [{ role: 'user', text: text(run.opening) }]
  const reported = (tokens: number) => Math.round(tokens * scale)
  let context = agentTokens.system + agentTokens.tools + run.opening
  const calls = run.calls.map(([output, tool, user], n): SentCall => {
    const id = `call_${n}`
    const requested = { id, name: 'tool_1', arguments: { about: text(output - 8) } }
    const answer: SentMessage =
      tool > 0 ? { role: 'assistant', call: requested } : { role: 'assistant', text: text(output) }
    const call = {
      ...{ system: text(agentTokens.system), messages: [...messages], answer, tools },
      ...{ tokensIn: reported(context), tokensOut: reported(output) },
    }
    messages.push(answer)
    if (tool > 0) messages.push({ role: 'tool', result: { id, response: text(tool) } })
    if (user > 0) messages.push({ role: 'user', text: text(user) })
    context += output + tool + user
    return call
  })
  return { traceId, calls }
}

async function estimateFrom(known: readonly Run[], models: readonly string[], scale = 1) {
  const params = { projectId: tenant.projectId }
  const ids: string[] = []
  for (const [n, run] of known.entries()) {
    const traceId = traceIdOf(`${n} of ${scale}`)
    ids.push(traceId)
    const body = toOtlp([toSentRun(run, traceId, scale)])
    await service.call(exportTraces, { body }, tenant.keyHeader)
  }
  const extracting = { params, body: { trace_ids: ids } }
  const { data } = await service.call(extractAgent, extracting, viewer)
  const body = {
    ...{ agent_config: data.suggestion, volumes: data.volumes, models: [...models] },
    ...{ caching: false, scenario_count: testedTasks, include_multi_turn: true },
  }
  const estimate = await service.call(estimateCost, { params, body }, viewer)
  return { extraction: data, perModel: estimate.data.perModel }
}

const splits: { readonly known: readonly Run[]; readonly tested: readonly Run[] }[] = []
forEachSplit(10, (known, tested) => splits.push({ known, tested }), 2)

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length

describe('an estimate from ten recorded runs', () => {
  test.each(splits)('predicts other runs as from known counts, split %#', async (split) => {
    const { known, tested } = split
    const { extraction, perModel } = await estimateFrom(known, ['gpt-4o'])
    const { volumes } = extraction
    expect(volumes.runs).toBe(10)
    for (const name of ['tokens_in', 'tokens_out', 'llm_calls', 'tool_calls'] as const) {
      expect(volumes[`${name}_mean`]).toBeCloseTo(mean(known.map((run) => run[name])), 6)
    }
    const [{ costUsd, costUsdP10, costUsdP90 } = {}] = perModel
    const fromCounts = predict(known, testedTasks)
    expect((costUsd ?? 0) / fromCounts.median).toBeCloseTo(1, 1)
    const truth = mean(tested.map((run) => run.costUsd)) * testedTasks
    expect(truth).toBeGreaterThan(costUsdP10 ?? truth)
    expect(truth).toBeLessThan(costUsdP90 ?? truth)
  })

  test('with a provider of another tokenizer learns its factor, and applies it to its model only', async () => {
    const scale = 1.3
    const known = splits[0]?.known ?? []
    const models = ['gpt-4o', 'gpt-4.1']
    const same = await estimateFrom(known, models)
    const scaled = await estimateFrom(known, models, scale)
    const [factor] = scaled.extraction.counterFactors
    const [unscaled] = same.extraction.counterFactors
    expect((factor?.factor ?? 0) / (unscaled?.factor ?? 1)).toBeCloseTo(scale, 2)
    const ratios = scaled.perModel.map(
      ({ inputTokens }, at) => inputTokens / (same.perModel[at]?.inputTokens ?? 1),
    )
    expect(ratios).toEqual([expect.closeTo(scale, 1), expect.closeTo(1, 1)])
  })
})
