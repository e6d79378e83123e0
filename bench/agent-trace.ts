/*
 * A trace of an agent as a client sends it: model calls that request a tool, and the tool's spans, with bodies.
 */

export interface SentSpan {
  readonly span_id: string
  readonly parent_span_id: string | null
  readonly kind: string
  readonly name: string
  readonly started_at: string
  readonly ended_at: string
  readonly model?: string
  readonly tokens_in?: number
  readonly tokens_out?: number
  readonly input: unknown
  readonly output: unknown
  readonly attributes: Readonly<Record<string, unknown>>
}

const startMs = Date.UTC(2026, 0, 1)
const system = {
  role: 'system',
  content: `You answer questions about orders of a shop. ${'Be polite, be brief, and cite the order. '.repeat(10)}`,
}
const tools = ['find_order', 'track_parcel', 'list_returns', 'send_mail'].map((name) => ({
  type: 'function',
  function: {
    name,
    description: `Runs ${name} in the database of the shop.`,
    parameters: {
      type: 'object',
      properties: {
        order: { type: 'integer', minimum: 1 },
        unit: { type: 'string', enum: ['day', 'hour'] },
        note: { type: 'string' },
      },
      required: ['order'],
    },
  },
}))

/** An agent, then model calls and tool calls by turns. `seed` makes the texts differ from those of other traces. */
export function agentTrace(spanCount: number, seed: number): SentSpan[] {
  const question = {
    role: 'user',
    content: `Where is order ${1000 + seed}, and the ones after it?`,
  }
  const answer = `Order ${1000 + seed} left Bergen on Monday and arrives in Oslo within 3 days.`
  const timed = (n: number) => ({
    span_id: `s${n}`,
    parent_span_id: n === 0 ? null : 's0',
    started_at: new Date(startMs + 10 * n).toISOString(),
    ended_at: new Date(startMs + (n === 0 ? 10 * spanCount : 10 * n + 8)).toISOString(),
  })
  const step = (n: number): SentSpan => {
    const order = 1000 + seed + Math.floor(n / 2)
    const name = tools[Math.floor(n / 2) % tools.length]!.function.name
    return n % 2 === 1 ? modelCall(n, order, name) : toolCall(n, order, name)
  }
  const modelCall = (n: number, order: number, name: string): SentSpan => {
    const call = {
      id: `c${n}`,
      type: 'function',
      function: { name, arguments: JSON.stringify({ order }) },
    }
    const isLast = n + 2 >= spanCount
    const message = isLast
      ? { role: 'assistant', content: answer }
      : { role: 'assistant', content: null, tool_calls: [call] }
    return {
      ...timed(n),
      ...{ kind: 'llm', name: 'chat gpt-5', model: 'gpt-5', tokens_in: 900, tokens_out: 40 },
      input: { messages: [system, question], tools },
      output: { messages: [message], finish_reason: isLast ? 'stop' : 'tool_calls' },
      attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.temperature': 0.2 },
    }
  }
  const toolCall = (n: number, order: number, name: string): SentSpan => ({
    ...timed(n),
    ...{ kind: 'tool', name, input: { order } },
    output: {
      order,
      city: 'Oslo',
      items: [{ sku: `SKU-${n}`, price: 19.5 + n }],
      note: 'Left Bergen. '.repeat(20),
    },
    attributes: { 'gen_ai.tool.call.id': `c${n - 1}` },
  })
  const root: SentSpan = {
    ...timed(0),
    ...{
      kind: 'agent',
      name: 'support',
      input: { messages: [question] },
      output: { text: answer },
    },
    attributes: { 'eval.expected_output': answer, 'eval.expected_tools': ['find_order'] },
  }
  return [root, ...Array.from({ length: spanCount - 1 }, (_, n) => step(n + 1))]
}
