import { openAI } from '@genkit-ai/compat-oai/openai'
import { genkit, z } from 'genkit'
import { enableTelemetry, flushTracing } from 'genkit/tracing'
import { OTLPTraceExporter } from 'genkit-exporter'
import {
  batches,
  expectRefusal,
  modelUrl,
  question,
  session,
  system,
  weatherIn,
} from './conversation.mjs'

/*
 * Genkit with its own telemetry: a flow with a tool, a streamed run and a refused call.
 */

await enableTelemetry({
  serviceName: process.env.OTEL_SERVICE_NAME,
  // Without the host and the paths of the process.
  autoDetectResources: false,
  spanProcessors: [batches(new OTLPTraceExporter())],
})
const ai = genkit({ plugins: [openAI({ apiKey: 'none', baseURL: modelUrl, maxRetries: 0 })] })
const getWeather = ai.defineTool(
  {
    name: 'get_weather',
    description: 'The weather in a city, now.',
    inputSchema: z.object({ city: z.string() }),
  },
  async ({ city }) => weatherIn(city),
)
const settings = (model) => ({
  model: openAI.model(model),
  system,
  prompt: question,
  tools: [getWeather],
})
const weather = ai.defineFlow({ name: 'weather', inputSchema: z.string() }, async () => {
  const { text } = await ai.generate(settings('gpt-4o-mini'))
  return text
})
await weather(question, { context: { session } })
const { stream, response } = ai.generateStream(settings('gpt-4o-mini'))
for await (const _chunk of stream);
await response
await expectRefusal(ai.generate(settings('refused-model')))
await flushTracing()
