import { agentConfig } from '@assay/contract/agent-config.ts'
import { limits } from '@assay/contract/limits.ts'
import type { ScenarioSummary } from '@assay/contract/scenarios.ts'
import { describe, expect, test } from 'vitest'
import type { ReceivedCall, Step } from '../../test/scripted-model.ts'
import { requestsPerTest, runningModel, toGatewayModel } from '../../test/scripted-model-suite.ts'
import { openModelGateway } from '../model-gateway/gateway.ts'
import type { GatewayModel } from '../model-gateway/gateway-model.ts'
import { toAgentPrompt } from './agent-prompt.ts'
import { toTraces } from './conversation-spans.ts'
import { type ConversationRequest, runConversation } from './run-conversation.ts'
import { nothingRecorded } from './simulated-tools.ts'
import { openSpending } from './spending.ts'

const scripted = runningModel()
const { sent, received } = requestsPerTest(scripted)

const gateway = openModelGateway({ retryMs: 1, callMs: 5000 })
const model = (changes: Partial<GatewayModel> = {}) => toGatewayModel(scripted, changes)
/** Of the usual usage of the scripted model. */
const callNanos = (60 * 2 + 40 + 10 * 10) * 1000

const agent = toAgentPrompt(
  agentConfig.parse({
    system_prompt: 'You answer questions about orders.',
    tone: 'Friendly',
    tools: [
      {
        name: 'get order',
        content: JSON.stringify({
          ...{ type: 'object', properties: { order_id: { type: 'string' } } },
          required: ['order_id'],
        }),
      },
      { kind: 'skill', name: 'refunds', content: 'Refunds take five days.' },
    ],
  }),
)

const scenario: ScenarioSummary = {
  ...{ id: '00000000-0000-4000-8000-00000000000a', name: 'Order status', category: 'happy_path' },
  conversation_plan: {
    ...{ goal: 'know where the order is', known: ['order A-1'], unknown: ['the zip code'] },
    satisfied_when: 'the assistant reports where it is',
  },
  turns: [{ role: 'user', content: 'Where is my order A-1?' }],
  ...{ origin: 'template', intent: 'see the order', tools: ['get order'], persona: 'brief' },
  complication: null,
}

function request(changes: Partial<ConversationRequest> = {}): ConversationRequest {
  return {
    ...{ scenario, agent, model: model(), simulator: undefined, recorded: nothingRecorded },
    ...{ toolAnswers: new Map(), spending: openSpending(null) },
    ...{ signal: new AbortController().signal, deadline: Date.now() + 60_000 },
    ...changes,
  }
}
const run = (changes: Partial<ConversationRequest> = {}) =>
  runConversation(request(changes), gateway)

const getOrder = { calls: [{ name: 'get_order', arguments: { order_id: 'A-1' } }] }
const isOfUser = ({ system }: ReceivedCall) => system.startsWith('You play a user')
const isOfTool = ({ system }: ReceivedCall) => system.startsWith('You simulate a tool')

describe('a simulated conversation', () => {
  test('has the calls of tools answered until the agent answers, with tokens, cost and latency', async () => {
    scripted.play(getOrder, { answer: 'It is on its way.' })
    const spending = openSpending(null)
    expect(await run({ spending })).toMatchObject({
      ...{ status: 'completed', error: null, turns: 1, tokensIn: 200, tokensOut: 20 },
      ...{ costNanos: 2 * callNanos, latencyMs: expect.any(Number) },
    })
    const none = { simulated_user: 0, simulated_tools: 0, judge: 0 }
    expect(spending.bills).toEqual({ ...none, agent: 2 * callNanos })
    const [first, second] = sent()
    expect(first?.system).toBe(
      'You answer questions about orders.\n\nTone: Friendly\n\nSkill: refunds\nRefunds take five days.',
    )
    expect(first?.body['tools']).toMatchObject([{ function: { name: 'get_order' } }])
    expect(second?.texts.at(-1)).toContain('A-1')
  })

  test('goes through the turns of the scenario, whatever the agent answers', async () => {
    const turns = ['Hello.', 'Where is A-1?', 'Thanks.'].map((content) => ({
      role: 'user' as const,
      content,
    }))
    scripted.play({ answer: 'Hi!' }, { answer: 'Here.' }, { answer: 'Bye.' })
    expect(await run({ scenario: { ...scenario, turns } })).toMatchObject({ turns: 3 })
    expect(sent().at(-1)?.texts).toEqual(['Hello.', 'Hi!', 'Where is A-1?', 'Here.', 'Thanks.'])
  })

  test('lets a model answer what the agent asks after the last turn, on a bill of its own', async () => {
    scripted.always((call) => {
      if (!isOfUser(call)) return { answer: call.texts.length < 4 ? 'What is it about?' : 'Done.' }
      return { answer: { satisfied: false, message: 'About order A-1.' } }
    })
    const spending = openSpending(null)
    const { turns, messages, costNanos } = await run({ simulator: model(), spending })
    expect(turns).toBe(3)
    expect(messages.map(({ role }) => role)).toEqual(Array(3).fill(['user', 'assistant']).flat())
    expect(spending.bills).toMatchObject({ agent: 3 * callNanos, simulated_user: 2 * callNanos })
    expect(costNanos).toBe(3 * callNanos)
    const asked = sent().find(isOfUser)
    for (const text of ['know where the order is', 'order A-1', 'the zip code', 'brief'])
      expect(asked?.system).toContain(text)
    expect(asked?.texts[0]).toContain('Assistant: What is it about?')
    expect(asked?.system).not.toContain('What is it about?')
  })

  test('ends when the simulated user is satisfied, and without a model after the last turn', async () => {
    scripted.play({ answer: 'Anything else?' }, { answer: { satisfied: true, message: '' } })
    expect(await run({ simulator: model() })).toMatchObject({ status: 'completed', turns: 1 })
    scripted.play({ answer: 'Anything else?' })
    expect(await run()).toMatchObject({ status: 'completed', turns: 1 })
  })

  test('lets a model answer tools that nothing is known about, once for the same call', async () => {
    let calls = 0
    scripted.always((call) => {
      if (isOfTool(call)) return { answer: '```json\n{"place":"Oslo"}\n```' }
      calls += 1
      return calls % 2 === 1 ? getOrder : { answer: 'In Oslo.' }
    })
    const [toolAnswers, spending] = [new Map(), openSpending(null)]
    for (const scenarioId of ['a', 'b'])
      await run({
        ...{ toolAnswers, spending, simulator: model() },
        scenario: { ...scenario, id: scenarioId },
      })
    expect(sent().filter(isOfTool)).toHaveLength(1)
    expect(spending.bills).toMatchObject({ agent: 4 * callNanos, simulated_tools: callNanos })
    expect(sent().at(-1)?.texts.at(-1)).toBe('{"place":"Oslo"}')
  })

  test('ends at the limit of calls in a turn', async () => {
    scripted.always(getOrder)
    const most = limits.simulatedCallsPerTurn.value
    const error = `The agent made ${most} calls in one turn.`
    expect(await run()).toMatchObject({ status: 'limit_reached', error, turns: 1 })
    expect(sent()).toHaveLength(most)
  })

  test('ends at the limit of turns', async () => {
    scripted.always((call) =>
      isOfUser(call) ? { answer: { satisfied: false, message: 'Hm.' } } : { answer: 'Why?' },
    )
    const most = limits.simulatedTurns.value
    const outcome = await run({ simulator: model() })
    expect(outcome).toMatchObject({ status: 'limit_reached', turns: most })
  })

  test('ends at the limit of tokens', async () => {
    const usage = { input: limits.simulatedTokens.value / 2, output: 10 }
    scripted.always({ calls: [{ name: 'get_order', arguments: { order_id: 'A-1' } }], usage })
    expect(await run()).toMatchObject({ status: 'limit_reached' })
    expect(sent()).toHaveLength(2)
  })

  test('ends at the limit of characters, whatever usage the provider reports', async () => {
    const text = 'x'.repeat(limits.simulatedCharacters.value / 4)
    scripted.always({ ...getOrder, text, usage: { input: 1, output: 1 } })
    const error = 'The conversation has used its characters.'
    const conversation = await run()
    expect(conversation).toMatchObject({ status: 'limit_reached', error })
    // Half of the limit with the second call, and more than all with the third.
    expect(sent()).toHaveLength(3)
  })

  test('ends where the agent requests too many calls of tools at once', async () => {
    const [call] = getOrder.calls
    scripted.always({
      calls: Array.from({ length: limits.toolCallsAtOnce.value + 1 }, () => call!),
    })
    const error = `The agent requested ${limits.toolCallsAtOnce.value + 1} calls of tools at once.`
    const conversation = await run()
    expect(conversation).toMatchObject({ status: 'limit_reached', error })
    expect(sent()).toHaveLength(1)
    expect(conversation.steps).toHaveLength(1)
  })

  test('lets others have their turn between the results of tools', async () => {
    const [call] = getOrder.calls
    scripted.play({ calls: [call!, call!, call!] }, { answer: 'Done.' })
    let turns = 0
    const count = () => {
      turns += 1
      counting = setImmediate(count)
    }
    let counting = setImmediate(count)
    const turnsOfResults: number[] = []
    const answers = new Map<string, string>()
    answers.get = () => {
      turnsOfResults.push(turns)
      return '{}'
    }
    await run({ recorded: { ...nothingRecorded, answers } })
    clearImmediate(counting)
    expect(new Set(turnsOfResults).size).toBe(3)
  })
})

describe('a conversation whose model fails', () => {
  test.each<readonly [what: string, steps: readonly Step[], error: RegExp]>([
    ['429 each time', [{ status: 429 }, { status: 429 }], /^provider_error: .*\(429\)/],
    ['a refusal', [{ refusal: 'No.' }], /^refused: /],
    [
      'a response that is not JSON',
      [{ garbage: '<html>' }],
      /^(?:invalid_output|provider_error): /,
    ],
    ['an empty answer', [{ answers: [] }], /^invalid_output: .*empty/],
    ['a cut connection, twice', ['cut', 'cut'], /^provider_error: /],
    ['a refused key', [{ status: 401 }], /^provider_error: .*API key/],
  ])('with %s fails with the reason', async (_what, steps, error) => {
    scripted.play(...steps)
    expect(await run()).toMatchObject({ status: 'failed', error: expect.stringMatching(error) })
  })

  test('with a stall fails when the time of a call is up, and counts what it may cost', async () => {
    scripted.play('stall')
    const impatient = openModelGateway({ callMs: 50 })
    const outcome = await runConversation(request(), impatient)
    expect(outcome).toMatchObject({ status: 'failed', error: expect.stringMatching(/^timeout: /) })
    expect(outcome.costNanos).toBeGreaterThan(0)
  })

  test('fails if the simulated user does', async () => {
    scripted.play({ answer: 'Which order?' }, { status: 400 })
    const outcome = await run({ simulator: model() })
    expect(outcome).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^simulated user: /),
    })
  })

  test('without a price has no cost, and counts for the limit at an assumed price', async () => {
    scripted.always(getOrder)
    const outcome = await run({ model: model({ rates: null }), spending: openSpending(0.001) })
    // 110 tokens a call.
    expect(outcome).toMatchObject({ status: 'stopped', costNanos: null, tokensIn: 200 })
  })
})

describe('a stopped conversation', () => {
  test('begins no call once the limit of cost is reached', async () => {
    scripted.always(getOrder)
    const spending = openSpending((2 * callNanos) / 1e9)
    expect(await run({ spending })).toMatchObject({ status: 'stopped', costNanos: 2 * callNanos })
    expect(sent()).toHaveLength(2)
    expect(await run({ spending })).toMatchObject({ status: 'stopped', turns: 1, costNanos: 0 })
    expect(sent()).toHaveLength(2)
  })

  test('closes its connection when it is canceled, and counts what the call may cost', async () => {
    scripted.play('stall')
    const leave = new AbortController()
    const running = run({ signal: leave.signal })
    await received(1)
    leave.abort(new Error('gone'))
    const outcome = await running
    expect(outcome.status).toBe('stopped')
    expect(outcome.costNanos).toBeGreaterThan(0)
    await scripted.idle()
  })

  test('stops at its deadline', async () => {
    expect(await run({ deadline: Date.now() - 1 })).toMatchObject({ status: 'stopped', turns: 1 })
    expect(sent()).toHaveLength(0)
  })
})

test('the trace of a conversation has its calls in the form of ingested ones, and the simulator apart', async () => {
  scripted.always((call) => {
    if (isOfUser(call)) return { answer: { satisfied: false, message: 'A-1.' } }
    if (isOfTool(call)) return { answer: '{"place":"Oslo"}' }
    return [{ answer: 'Which one?' }, getOrder, { answer: 'In Oslo.' }][
      sent().filter((one) => !isOfUser(one) && !isOfTool(one)).length - 1
    ]!
  })
  const simulator = model({ model: 'simulator-1' })
  const startedMs = Date.now()
  const conversation = await run({ simulator })
  const facts = { runId: 'run-1', modelConfigId: 'model-1', scenario, agent, model: model() }
  const traces = toTraces(conversation, { ...facts, startedMs, endedMs: Date.now() })
  const { spans } = traces.agent
  expect(spans.map(({ kind, name, model: of }) => [kind, name, of])).toEqual([
    ['agent', 'Order status', null],
    ['llm', 'agent call', 'agent-1'],
    ['llm', 'agent call', 'agent-1'],
    ['tool', 'get_order', null],
    ['llm', 'agent call', 'agent-1'],
  ])
  const bodies = spans.map(({ body }) => ({
    ...{ input: JSON.parse(body.input), output: JSON.parse(body.output) },
    attributes: JSON.parse(body.attributes),
  }))
  const [root, , requesting, tool, last] = bodies
  expect(root).toMatchObject({
    input: { messages: [{ content: 'Where is my order A-1?' }, {}, { content: 'A-1.' }, {}] },
    output: { text: 'In Oslo.' },
    attributes: {
      ...{ 'eval.expected_tools': ['get_order'], 'assay.simulation.run_id': 'run-1' },
    },
  })
  expect(requesting?.output).toMatchObject({
    messages: [
      { tool_calls: [{ function: { name: 'get_order', arguments: '{"order_id":"A-1"}' } }] },
    ],
    finish_reason: 'tool-calls',
  })
  expect(tool).toMatchObject({ input: { order_id: 'A-1' }, output: { place: 'Oslo' } })
  expect(last?.input.messages.at(-1)).toMatchObject({ role: 'tool', content: '{"place":"Oslo"}' })
  expect(last?.input.tools).toHaveLength(1)
  expect(spans.every(({ traceId }) => traceId === traces.agent.traceId)).toBe(true)

  const ofSimulator = traces.simulator?.spans.map(({ name, model: of }) => [name, of])
  expect(ofSimulator).toEqual([
    ['simulator of Order status', null],
    ['simulated user', 'simulator-1'],
    ['simulated tool', 'simulator-1'],
  ])
})
