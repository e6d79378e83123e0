import { observeOpenAI } from '@langfuse/openai'
import { LangfuseSpanProcessor } from '@langfuse/otel'
import { propagateAttributes, startActiveObservation } from '@langfuse/tracing'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import OpenAI from 'openai'
import {
  askOpenAI,
  modelUrl,
  question,
  session,
  tracerProvider,
  user,
  weatherIn,
} from './conversation.mjs'

/*
 * Langfuse's OpenAI client within its own observations.
 */

const exporter = new OTLPTraceExporter()
const provider = tracerProvider([
  new LangfuseSpanProcessor({
    exporter,
    flushAt: 1000,
    flushInterval: 600,
    environment: 'recording',
  }),
])

const getWeather = (city) =>
  startActiveObservation(
    'get_weather',
    (tool) => {
      const weather = weatherIn(city)
      tool.update({ input: { city }, output: weather })
      return weather
    },
    { asType: 'tool' },
  )

await propagateAttributes({ sessionId: session, userId: user, tags: ['weather'] }, () =>
  startActiveObservation(
    'weather',
    async (agent) => {
      const client = observeOpenAI(new OpenAI({ baseURL: modelUrl, apiKey: 'none', maxRetries: 0 }))
      agent.update({ input: question, output: await askOpenAI(client, getWeather) })
    },
    { asType: 'agent' },
  ),
)
await provider.forceFlush()
await provider.shutdown()
