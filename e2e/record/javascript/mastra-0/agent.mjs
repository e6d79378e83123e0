import { createOpenAI } from '@ai-sdk/openai'
import { Agent } from '@mastra/core/agent'
import { Mastra } from '@mastra/core/mastra'
import { createTool } from '@mastra/core/tools'
import { OtelExporter } from '@mastra/otel-exporter'
import { z } from 'zod'
import {
  expectRefusal,
  modelUrl,
  question,
  session,
  system,
  user,
  weatherIn,
} from '../conversation.mjs'

/*
 * A Mastra agent before version 1 with Mastra's exporter 0.3: a whole run, a streamed one and a refused call.
 */

const openai = createOpenAI({ baseURL: modelUrl, apiKey: 'none' })
const exporter = new OtelExporter({
  provider: {
    custom: {
      endpoint: `${process.env.OTEL_EXPORTER_OTLP_ENDPOINT}/v1/traces`,
      protocol: 'http/protobuf',
    },
  },
})
const agentWith = (model) =>
  new Agent({
    name: 'weather',
    instructions: system,
    model: openai(model),
    maxRetries: 0,
    tools: {
      get_weather: createTool({
        id: 'get_weather',
        description: 'The weather in a city, now.',
        inputSchema: z.object({ city: z.string() }),
        execute: async ({ context }) => weatherIn(context.city),
      }),
    },
  })
const mastra = new Mastra({
  logger: false,
  telemetry: { enabled: false },
  agents: { weather: agentWith('gpt-4o-mini'), refused: agentWith('refused-model') },
  observability: {
    configs: { otel: { serviceName: process.env.OTEL_SERVICE_NAME, exporters: [exporter] } },
  },
})
const options = { tracingOptions: { metadata: { sessionId: session, userId: user } } }
await mastra.getAgent('weather').generate(question, options)
const streamed = await mastra.getAgent('weather').stream(question, options)
await streamed.consumeStream()
await expectRefusal(mastra.getAgent('refused').generate(question, options))
await exporter.shutdown()
