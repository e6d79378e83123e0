import { z } from 'zod'
import {
  expectRefusal,
  modelUrl,
  question,
  session,
  system,
  tracerProvider,
  user,
  weatherIn,
} from './conversation.mjs'

/*
 * The AI SDK, version 5 or 6, with one provider: a whole and a streamed run of an agent, an object, embeddings where
 * the provider has them, and a refused call.
 */

const { AI_SDK, AI_PROVIDER } = process.env
const processors = await processorsFor(process.env.AI_PROCESSOR)
const provider = tracerProvider(processors)
const { embedMany, generateObject, generateText, stepCountIs, streamText, tool } = await import(
  AI_SDK
)
const { chat, embedding, modelId } = await connect()

const telemetry = {
  experimental_telemetry: {
    isEnabled: true,
    functionId: 'weather',
    metadata: { sessionId: session, userId: user, tags: ['weather'] },
  },
  maxRetries: 0,
}
const agent = {
  ...telemetry,
  model: chat(modelId),
  system,
  prompt: question,
  stopWhen: stepCountIs(5),
  tools: {
    get_weather: tool({
      description: 'The weather in a city, now.',
      inputSchema: z.object({ city: z.string() }),
      execute: async ({ city }) => weatherIn(city),
    }),
  },
}
await generateText(agent)
await streamText(agent).consumeStream()
await generateObject({
  ...telemetry,
  model: chat(modelId),
  system,
  prompt: 'Which city?',
  schema: z.object({ city: z.string() }),
})
if (embedding !== undefined) {
  await embedMany({
    ...telemetry,
    model: embedding('text-embedding-3-small'),
    values: ['one', 'two'],
  })
}
await expectRefusal(generateText({ ...telemetry, model: chat('refused-model'), prompt: question }))
await provider.forceFlush()
await provider.shutdown()

async function connect() {
  const settings = { baseURL: modelUrl, apiKey: 'none' }
  if (AI_PROVIDER === 'anthropic') {
    const { createAnthropic } = await import(`${AI_SDK}-anthropic`)
    return { chat: createAnthropic(settings), modelId: 'claude-sonnet-4-5' }
  }
  const { createOpenAI } = await import(`${AI_SDK}-openai`)
  const openai = createOpenAI(settings)
  const chat = AI_PROVIDER === 'openai-chat' ? openai.chat : openai
  return { chat, embedding: openai.textEmbeddingModel, modelId: 'gpt-4o-mini' }
}

/** OpenInference and LangSmith turn the spans of the AI SDK into their own form. */
async function processorsFor(name) {
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-proto')
  const exporter = new OTLPTraceExporter()
  if (name === undefined) return undefined
  const { OpenInferenceBatchSpanProcessor } = await import(name)
  return [
    new OpenInferenceBatchSpanProcessor({ exporter, config: { scheduledDelayMillis: 600_000 } }),
  ]
}
