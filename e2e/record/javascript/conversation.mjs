import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'

/*
 * The conversation of the recordings, and the exporter of its spans. Endpoint, headers and compression come
 * from OpenTelemetry's environment variables.
 */

export const modelUrl = process.env.MODEL_URL ?? ''
export const model = 'gpt-4o-mini'
export const system = 'You are terse.'
export const question = 'Weather in Paris? 🌧'
export const session = 'session-1'
export const user = 'ana'
export const weatherIn = (_city) => ({ temp: 14, sky: 'rain' })

const parameters = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
}
export const weatherTool = {
  type: 'function',
  function: { name: 'get_weather', description: 'The weather in a city, now.', parameters },
}

/** The registered provider. A delay longer than any recording sends all spans in one request. */
export function tracerProvider(processors = [batches(new OTLPTraceExporter())]) {
  const resource = resourceFromAttributes({ 'service.name': process.env.OTEL_SERVICE_NAME })
  const provider = new NodeTracerProvider({ resource, spanProcessors: processors })
  provider.register()
  return provider
}

export function batches(exporter) {
  return new BatchSpanProcessor(exporter, { scheduledDelayMillis: 600_000 })
}

/** The conversation with an OpenAI client: the second turn is streamed. */
export async function askOpenAI(client, getWeather = async (city) => weatherIn(city)) {
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: question },
  ]
  const settings = { model, tools: [weatherTool] }
  const first = await client.chat.completions.create({ ...settings, messages })
  const calling = first.choices[0].message
  const [call] = calling.tool_calls
  const result = await getWeather(JSON.parse(call.function.arguments).city)
  const answered = { role: 'tool', tool_call_id: call.id, content: JSON.stringify(result) }
  const stream = await client.chat.completions.create({
    ...settings,
    messages: [...messages, calling, answered],
    stream: true,
    stream_options: { include_usage: true },
  })
  let words = ''
  for await (const chunk of stream) words += chunk.choices[0]?.delta.content ?? ''
  return words
}

/** The conversation with an Anthropic client: the second turn is streamed, the third call refused. */
export async function askAnthropic(client) {
  const { name, description, parameters: input_schema } = weatherTool.function
  const settings = {
    model: 'claude-sonnet-4-5',
    max_tokens: 100,
    system,
    tools: [{ name, description, input_schema }],
  }
  const asking = { role: 'user', content: question }
  const first = await client.messages.create({ ...settings, messages: [asking] })
  const [call] = first.content
  const tool_result = JSON.stringify(weatherIn(call.input.city))
  const answered = { type: 'tool_result', tool_use_id: call.id, content: tool_result }
  const calling = { role: 'assistant', content: first.content }
  const stream = await client.messages.create({
    ...settings,
    messages: [asking, calling, { role: 'user', content: [answered] }],
    stream: true,
  })
  for await (const _event of stream);
  await expectRefusal(
    client.messages.create({ model: 'refused-model', max_tokens: 100, messages: [asking] }),
  )
}

export async function expectRefusal(call) {
  const outcome = await call.then(
    () => 'answered',
    () => 'refused',
  )
  if (outcome !== 'refused') throw new Error('the fake provider accepted a refused model')
}
