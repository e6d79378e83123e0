import { LangfuseClient } from '@langfuse/client'
import { observeOpenAI } from '@langfuse/openai'
import { LangfuseSpanProcessor } from '@langfuse/otel'
import {
  type LangfuseAgent,
  type LangfuseTool,
  propagateAttributes,
  setLangfuseTracerProvider,
  startActiveObservation,
} from '@langfuse/tracing'
import { context } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base'
import OpenAI from 'openai'

/*
 * An application of Langfuse, configured only by its environment variables: an agent that calls a tool, a score
 * and a prompt.
 */

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
const provider = new BasicTracerProvider({ spanProcessors: [new LangfuseSpanProcessor()] })
setLangfuseTracerProvider(provider)
const langfuse = new LangfuseClient()
const openai = observeOpenAI(new OpenAI({ baseURL: process.env['MODEL_URL'], apiKey: 'none' }))

const image = `data:image/png;base64,${Buffer.from('an image').toString('base64')}`
const asking: OpenAI.ChatCompletionMessageParam[] = [
  { role: 'system', content: 'You are terse.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Weather in Paris? 🌧' },
      { type: 'image_url', image_url: { url: image } },
    ],
  },
]
const tools = [{ type: 'function', function: { name: 'get_weather' } }] as const

await propagateAttributes({ sessionId: 'session-1', userId: 'ana', tags: ['weather'] }, () =>
  startActiveObservation('weather', answer, { asType: 'agent' }),
)
await provider.forceFlush()

async function answer(agent: LangfuseAgent): Promise<void> {
  const prompt = await langfuse.prompt.get('weather', { fallback: 'Weather in {{city}}?' })
  agent.update({ input: prompt.compile({ city: 'Paris' }) })
  const called = await complete(asking)
  const content = startActiveObservation('get_weather', getWeather, { asType: 'tool' })
  const tool_call_id = called?.tool_calls?.[0]?.id ?? ''
  const result = { role: 'tool', tool_call_id, content } as const
  const answered = await complete([...asking, ...(called === undefined ? [] : [called]), result])
  agent.update({ output: answered?.content })
  langfuse.score.activeTrace({ name: 'correct', value: 1 })
  await langfuse.flush()
}

async function complete(messages: OpenAI.ChatCompletionMessageParam[]) {
  const settings = { model: 'gpt-4o-mini', tools: [...tools] }
  const { choices } = await openai.chat.completions.create({ ...settings, messages })
  return choices[0]?.message
}

function getWeather(tool: LangfuseTool): string {
  const weather = { temp: 14, sky: 'rain' }
  tool.update({ input: { city: 'Paris' }, output: weather })
  return JSON.stringify(weather)
}
