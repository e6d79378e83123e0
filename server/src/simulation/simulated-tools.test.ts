import type { AgentTool } from '@assay/contract/agent-config.ts'
import { limits } from '@assay/contract/limits.ts'
import { describe, expect, test } from 'vitest'
import {
  nothingRecorded,
  openSimulatedTools,
  type SimulatedToolsOptions,
  toCallKey,
} from './simulated-tools.ts'

const tool = (name: string, content?: object): AgentTool => ({
  ...{ kind: 'tool', name, mode: 'simulated', description: '' },
  ...(content === undefined ? {} : { content: JSON.stringify(content) }),
})
const orderId = { type: 'object', properties: { order_id: {} }, required: ['order_id'] }
const tools = [
  ...['get_order', 'update_order', 'delete_order', 'cancel_order'].map((name) =>
    tool(name, orderId),
  ),
  ...['create_order', 'list_orders', 'do_magic'].map((name) => tool(name)),
  tool('get_weather', {
    parameters: { type: 'object' },
    outputSchema: {
      type: 'object',
      properties: {
        city: { type: 'string' },
        degrees: { type: 'integer', minimum: 10, maximum: 20 },
        sky: { enum: ['clear', 'rain'] },
        days: {
          type: 'array',
          items: { type: 'object', properties: { wet: { type: 'boolean' } } },
        },
      },
    },
  }),
]

function open(options: Partial<SimulatedToolsOptions> = {}) {
  const toolsByName = new Map(tools.map((one) => [one.name, one]))
  const answer = openSimulatedTools({
    ...{
      toolsByName,
      seed: 'scenario',
      recorded: nothingRecorded,
      answerByModel: undefined,
      errorRate: 0,
    },
    ...options,
  })
  return async (name: string, input: Record<string, unknown> | undefined = {}) => {
    const { text, isError } = await answer({ name, input })
    return { text, isError, value: JSON.parse(text) as Record<string, unknown> }
  }
}

describe('a simulated tool', () => {
  test('has the same result for the same call, and others for other calls and scenarios', async () => {
    const input = { order_id: 'A-1' }
    const first = await open()('get_order', input)
    expect(await open()('get_order', input)).toEqual(first)
    expect((await open()('get_order', { order_id: 'A-2' })).text).not.toBe(first.text)
    expect((await open({ seed: 'other' })('get_order', input)).text).not.toBe(first.text)
  })

  test('returns recorded results first, whatever the order of the arguments', async () => {
    const answers = new Map([
      [toCallKey('get_order', { a: 1, order_id: 'A-1' }), '{"of":"record"}'],
    ])
    const recorded = { ...nothingRecorded, answers }
    const answerByModel = () => Promise.resolve('{"of":"model"}')
    const call = open({ recorded, answerByModel })
    expect((await call('get_order', { order_id: 'A-1', a: 1 })).value).toEqual({ of: 'record' })
    expect((await call('get_order', { order_id: 'A-1', a: 2 })).value).toEqual({ of: 'model' })
  })

  test('finds what earlier calls of the conversation created, changed and removed', async () => {
    const call = open()
    const { value: created } = await call('create_order', { item: 'backpack' })
    const order_id = created['id']
    expect((await call('get_order', { order_id })).value).toMatchObject({ item: 'backpack' })
    await call('update_order', { order_id, item: 'tent' })
    expect((await call('get_order', { order_id })).value).toMatchObject({ item: 'tent' })
    await call('delete_order', { order_id })
    const gone = await call('get_order', { order_id })
    expect(gone).toMatchObject({
      isError: true,
      value: { error: expect.stringMatching(/^No order/) },
    })
    expect((await open()('get_order', { order_id })).isError).toBe(false)
  })

  test('changes a record that was invented, and returns it so from then on', async () => {
    const call = open()
    const { value: before } = await call('get_order', { order_id: 'A-1' })
    const { value: canceled } = await call('cancel_order', { order_id: 'A-1', reason: 'late' })
    expect(canceled).toEqual({ ...before, reason: 'late', order_id: 'A-1', status: 'updated' })
    expect((await call('get_order', { order_id: 'A-1' })).value).toEqual(canceled)
  })

  test('does not find the unknown identifiers of scenarios', async () => {
    expect((await open()('get_order', { order_id: 'ORD-000000' })).isError).toBe(true)
    expect((await open()('get_order', { order_id: '100000' })).isError).toBe(false)
  })

  test('follows the schema of its result, without a model', async () => {
    const answerByModel = () => Promise.reject(new Error('not called'))
    const { value } = await open({ answerByModel })('get_weather', { city: 'Oslo' })
    expect(Object.keys(value)).toEqual(['city', 'degrees', 'sky', 'days'])
    expect(value['degrees']).toBeGreaterThanOrEqual(10)
    expect(value['degrees']).toBeLessThanOrEqual(20)
    expect(['clear', 'rain']).toContain(value['sky'])
    for (const day of value['days'] as object[]) expect(day).toEqual({ wet: expect.any(Boolean) })
  })

  test('is answered by a model where nothing else is known, else with an invented result', async () => {
    const written = open({ answerByModel: () => Promise.resolve('{"spell":"cast"}') })
    expect((await written('do_magic')).value).toEqual({ spell: 'cast' })
    const failing = open({ answerByModel: () => Promise.resolve(undefined) })
    expect((await failing('do_magic', { wand: 'oak' })).value).toMatchObject({ wand: 'oak' })
  })

  test.each([
    [
      'a tool that does not exist',
      'no_such_tool',
      {},
      'There is no tool with the name no_such_tool.',
    ],
    [
      'arguments that are no object',
      'get_order',
      undefined,
      'The arguments are not a JSON object.',
    ],
    ['a missing argument', 'get_order', {}, 'Missing arguments: order_id.'],
    [
      'a missing argument with the name of a property of every object',
      'get_builder',
      {},
      'Missing arguments: constructor.',
    ],
  ])('reports %s as an error', async (_what, name, input, error) => {
    const content = '{"type":"object","required":["constructor"]}'
    const builder = { ...tools[0]!, name: 'get_builder', content }
    const toolsByName = new Map([...tools, builder].map((one) => [one.name, one]))
    const answer = openSimulatedTools({
      ...{ toolsByName, seed: 's', recorded: nothingRecorded, answerByModel: undefined },
    })
    const { text, isError } = await answer({ name, input })
    expect([JSON.parse(text), isError]).toEqual([{ error }, true])
  })

  test('fails as often as stated, and not again for the same call', async () => {
    const call = open({ errorRate: 0.1 })
    const ids = Array.from({ length: 300 }, (_, at) => `A-${at + 1}`)
    let failed = 0
    for (const order_id of ids) {
      const { isError } = await call('get_order', { order_id })
      if (!isError) continue
      failed += 1
      expect((await call('get_order', { order_id })).isError).toBe(false)
    }
    expect(failed).toBeGreaterThan(15)
    expect(failed).toBeLessThan(50)
  })

  test('fails as often as recorded calls, and has results as long, if there are enough', async () => {
    const behave = (calls: number, errors: number, length: number) => {
      const lengths = Array.from({ length: calls - errors }, () => length)
      const behavior = new Map([['get_order', { calls, errors, lengths }]])
      return open({ recorded: { ...nothingRecorded, behavior }, errorRate: 0.02 })
    }
    const measure = async (call: ReturnType<typeof open>) => {
      const ids = Array.from({ length: 200 }, (_, at) => ({ order_id: `A-${at}` }))
      const all = await Promise.all(ids.map((input) => call('get_order', input)))
      const found = all.filter(({ isError }) => !isError).map(({ text }) => text.length)
      const longest = found.toSorted((a, b) => a - b).at(-1) ?? 0
      return { failed: all.length - found.length, shortest: Math.min(...found), longest }
    }
    const often = await measure(behave(400, 200, 5000))
    expect(often.failed).toBeGreaterThan(70)
    expect(often.shortest).toBeGreaterThan(4900)
    expect(often.longest).toBeLessThan(5200)
    const few = await measure(behave(4, 2, 5000))
    expect(few.failed).toBeLessThan(often.failed / 2)
    expect(few.longest).toBeLessThan(5000)
  })

  test('has a model write results about as long as recorded ones', async () => {
    const lengths = [2400, 2400, 2400, 2400, 2400]
    const behavior = new Map([['get_order', { calls: 5, errors: 0, lengths }]])
    const asked: unknown[] = []
    const answerByModel: SimulatedToolsOptions['answerByModel'] = (...call) => {
      asked.push(call[3])
      return Promise.resolve('{}')
    }
    const recorded = { ...nothingRecorded, behavior }
    await open({ recorded, answerByModel })('get_order', { order_id: 'A-1' })
    await open({ answerByModel })('get_order', { order_id: 'A-1' })
    expect(asked).toEqual([2400, undefined])
  })

  test('has results as long as recorded ones: a median of about 190 tokens, few above 390', async () => {
    const call = open()
    const lengths: number[] = []
    for (let at = 1; at <= 300; at += 1)
      lengths.push((await call('get_order', { order_id: `A-${at}` })).text.length / 4)
    const ascending = lengths.toSorted((a, b) => a - b)
    expect(ascending[150]).toBeGreaterThan(150)
    expect(ascending[150]).toBeLessThan(240)
    expect(ascending[270]).toBeLessThan(450)
  })

  test('has results no longer than the limit', async () => {
    const answers = new Map([[toCallKey('do_magic', {}), `"${'x'.repeat(30_000)}"`]])
    const recorded = { ...nothingRecorded, answers }
    const toolsByName = new Map(tools.map((one) => [one.name, one]))
    const answer = openSimulatedTools({
      ...{ toolsByName, seed: 's', recorded, answerByModel: undefined, errorRate: 0 },
    })
    const { text } = await answer({ name: 'do_magic', input: {} })
    expect(text).toHaveLength(limits.toolResultLength.value + 1)
  })
})
