import { estimateCost } from '@assay/contract/cost-calculator.ts'
import { limits } from '@assay/contract/limits.ts'
import { callAs, type RunningService, type SetUpService } from '../e2e/running-service.ts'
import { planCells, structuralKey } from '../server/src/scenarios/coverage.ts'
import { generateOffline } from '../server/src/scenarios/generate-offline.ts'
import { openSeenTexts } from '../server/src/scenarios/similarity.ts'
import { ms, type Row, row } from './page.ts'

const runs = 50

const words = 'Look up the order before you answer, and ask for its number if it is missing. '

/** Of another agent each time: the counted tokens of recent ones are remembered. */
export async function estimateRows(at: RunningService, account: SetUpService): Promise<Row[]> {
  const call = callAs(at, account)
  const content = JSON.stringify({ type: 'object', properties: { number: { type: 'string' } } })
  const estimate = async (n: number) => {
    const tools = Array.from({ length: 14 }, (_, tool) => ({
      ...{ name: `tool_${tool}`, description: words, content },
    }))
    const startedAt = performance.now()
    const data = await call(estimateCost, {
      params: { projectId: account.project.id },
      body: {
        agent_config: { system_prompt: `${n} ${words.repeat(60)}`, tools },
        ...{ scenario_count: limits.scenariosPerRun.value, include_multi_turn: true },
      },
    })
    if (data.perModel.length !== 10) throw new Error('an estimate has 10 models')
    return performance.now() - startedAt
  }
  const firstMs = await estimate(0)
  const times: number[] = []
  for (let n = 1; n <= runs; n += 1) times.push(await estimate(n))
  const p50Ms = times.toSorted((a, b) => a - b)[Math.floor(runs / 2)] ?? 0
  return [
    row(
      'A cost estimate of 1,000 scenarios with 10 models, a prompt of 5 kB and 14 tools, over HTTP',
      '<= 50 ms',
      `p50 ${ms(p50Ms)}`,
      `the first one, which starts the token counter: ${ms(firstMs)}`,
    ),
    scenarioRow(),
  ]
}

/** Within this process: what it takes beyond the rest of the request. */
function scenarioRow(): Row {
  const agent = { system_prompt: words, tone: '', memory: '', tools: [] }
  const plan = { agent, scenarioCount: limits.scenariosPerRun.value, includeMultiTurn: true }
  const startedAt = performance.now()
  const scenarios = generateOffline(plan)
  const took = performance.now() - startedAt
  const keys = new Set(planCells(plan).map(structuralKey)).size
  const seen = openSeenTexts()
  const texts = scenarios.filter(({ turns }) =>
    seen.add(turns.map(({ content }) => content).join(' ')),
  ).length
  const share = (count: number) => `${((100 * count) / scenarios.length).toFixed(1)}%`
  return row(
    '1,000 scenarios written without a model',
    '<= 1 s, >= 95% unique',
    `${ms(took)}, ${share(keys)} unique combinations, ${share(texts)} unique texts`,
  )
}
