import { type AgentConfig, agentConfig, agentToolKinds } from '@assay/contract/agent-config.ts'
import { limits } from '@assay/contract/limits.ts'
import { type ScenarioCategory, scenarioSummary } from '@assay/contract/scenarios.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newId } from '../platform/ids.ts'
import { type Plan, planCells, structuralKey } from './coverage.ts'
import { generateOffline } from './generate-offline.ts'
import { openSeenTexts } from './similarity.ts'

const withTools = (...tools: readonly object[]): AgentConfig =>
  agentConfig.parse({ system_prompt: 'You help customers of a shop.', tools })

const lookUp = {
  name: 'look_up_order',
  content: '{"type":"object","properties":{"order_id":{"type":"string"}},"required":["order_id"]}',
}
const book = {
  name: 'bookTable',
  content:
    '{"parameters":{"type":"object","properties":{"guests":{"type":"integer","minimum":2,"maximum":8},"area":{"enum":["terrace"]}},"required":["guests","area"]}}',
}
const fewTools = withTools(lookUp, book, { kind: 'skill', name: 'Refunds' })

const plan = (agent: AgentConfig, scenarioCount: number, includeMultiTurn = false): Plan => ({
  ...{ agent, scenarioCount, includeMultiTurn },
})
const textOf = ({ turns }: { readonly turns: readonly { content: string }[] }) =>
  turns.map(({ content }) => content).join(' ')

describe('scenarios without a model', () => {
  const agents: readonly (readonly [string, AgentConfig])[] = [
    ['no tools', withTools()],
    ['one tool', withTools(lookUp)],
    ['few tools', fewTools],
    ['50 tools', withTools(...Array.from({ length: 50 }, (_, n) => ({ name: `see_thing_${n}` })))],
  ]
  const cases = agents.flatMap(([name, agent]) => [
    [name, agent, false] as const,
    [`${name}, with several turns`, agent, true] as const,
  ])
  test.each(cases)('T18: 1,000 of an agent with %s do not repeat', (_name, agent, isMultiTurn) => {
    const whole = plan(agent, 1000, isMultiTurn)
    const scenarios = generateOffline(whole)
    expect(scenarios).toHaveLength(1000)
    const keys = new Set(planCells(whole).map(structuralKey))
    const seen = openSeenTexts()
    const texts = scenarios.filter((scenario) => seen.add(textOf(scenario)))
    expect(keys.size).toBeGreaterThanOrEqual(950)
    expect(texts.length).toBeGreaterThanOrEqual(950)
    expect(new Set(scenarios.map(({ name }) => name)).size).toBeGreaterThanOrEqual(950)
  })

  test('are the same for the same agent, and others for another one', () => {
    expect(generateOffline(plan(fewTools, 30))).toEqual(generateOffline(plan(fewTools, 30)))
    const other = { ...fewTools, system_prompt: 'You help guests.' }
    expect(generateOffline(plan(other, 30))).not.toEqual(generateOffline(plan(fewTools, 30)))
  })

  test('have the categories in the mix of the estimate, from the first on', () => {
    const count = (scenarios: readonly { category: ScenarioCategory }[]) =>
      Object.fromEntries(
        Map.groupBy(scenarios, ({ category }) => category)
          .entries()
          .map(([category, ones]) => [category, ones.length]),
      )
    const single = generateOffline(plan(fewTools, 100))
    expect(count(single)).toEqual({ happy_path: 50, edge_case: 35, refusal: 15 })
    expect(count(single.slice(0, 20))).toEqual({ happy_path: 10, edge_case: 7, refusal: 3 })
    const multi = generateOffline(plan(fewTools, 100, true))
    expect(count(multi)).toEqual({ happy_path: 40, edge_case: 25, refusal: 10, multi_turn: 25 })
    const turns = multi.filter(({ category }) => category === 'multi_turn')
    expect(Math.min(...turns.map((one) => one.turns.length))).toBeGreaterThanOrEqual(3)
  })

  test('use each tool once before they use one again, if there are enough', () => {
    const tools = Array.from({ length: 20 }, (_, n) => ({ name: `tool_${n}` }))
    for (const isMultiTurn of [false, true]) {
      const scenarios = generateOffline(plan(withTools(...tools), 20, isMultiTurn))
      expect(new Set(scenarios.flatMap((one) => one.tools)).size).toBe(20)
    }
  })

  test('give the values that the parameters of the tool allow', () => {
    const scenarios = generateOffline(plan(withTools(book), 200))
    const happy = scenarios.filter(
      ({ tools, category }) => tools.includes('bookTable') && category === 'happy_path',
    )
    expect(happy.length).toBeGreaterThan(5)
    for (const { conversation_plan: conversation, turns } of happy) {
      expect(conversation.known[0]).toMatch(/^guests: [2-8]$/)
      expect(conversation.known[1]).toBe('area: terrace')
      expect(turns[0]?.content).toContain('Area: terrace.')
    }
  })

  test('have values as they are, also those with signs of replacements', () => {
    const content = JSON.stringify({ properties: { sign: { enum: ['$&'] } }, required: ['sign'] })
    const scenarios = generateOffline(plan(withTools({ name: 'find_sign', content }), 100))
    const texts = scenarios.map(textOf).join('\n')
    expect(texts).toContain('sign: $&')
    expect(texts).not.toContain('{value}')
  })

  test('leave out, miss or exceed values where the complication says so', () => {
    const scenarios = generateOffline(plan(withTools(lookUp), 1000)).filter(({ tools }) =>
      tools.includes('look_up_order'),
    )
    const of = (label: string) =>
      scenarios.filter(({ complication }) => complication === label).map((one) => one)
    for (const one of of('leaves out what is needed')) {
      expect(one.conversation_plan).toMatchObject({ known: [], unknown: ['the order id'] })
      expect(one.turns[1]?.content).toMatch(/ORD-\d+/)
    }
    for (const one of of('gives a value that does not exist')) {
      expect(one.conversation_plan.known).toEqual(['order id: ORD-000000'])
    }
    expect(of('leaves out what is needed').length).toBeGreaterThan(2)
    expect(of('gives a value that does not exist').length).toBeGreaterThan(2)
  })

  test('are valid for every agent, whatever its tools are called and contain', () => {
    const tool = fc.record({
      kind: fc.constantFrom(...agentToolKinds),
      name: fc.string({ minLength: 1, maxLength: 200, unit: 'binary' }),
      content: fc.oneof(
        fc.json({ maxDepth: 4 }),
        fc.string({ maxLength: 50 }),
        fc
          .dictionary(fc.string({ maxLength: 300 }), fc.jsonValue({ maxDepth: 2 }))
          .map((properties) => JSON.stringify({ properties, required: Object.keys(properties) })),
      ),
    })
    const anyPlan = fc.record({
      tools: fc.array(tool, { maxLength: 6 }),
      scenarioCount: fc.integer({ min: 1, max: 40 }),
      isMultiTurn: fc.boolean(),
    })
    fc.assert(
      fc.property(anyPlan, ({ tools, scenarioCount, isMultiTurn }) => {
        const scenarios = generateOffline(plan(withTools(...tools), scenarioCount, isMultiTurn))
        expect(scenarios).toHaveLength(scenarioCount)
        for (const scenario of scenarios) {
          const { success } = scenarioSummary.safeParse({ id: newId(), ...scenario })
          expect(success).toBe(true)
          expect(scenario.name.length).toBeLessThanOrEqual(limits.scenarioNameLength.value)
        }
      }),
      { numRuns: 50 },
    )
  })
})
