import { OpenAIAgentsInstrumentation } from '@arizeai/openinference-instrumentation-openai-agents'
import * as agents from '@openai/agents'
import OpenAI from 'openai-7'
import { z } from 'zod'
import {
  expectRefusal,
  modelUrl,
  question,
  session,
  system,
  tracerProvider,
  weatherIn,
} from './conversation.mjs'

/*
 * The OpenAI Agents SDK, instrumented by OpenInference: a whole run over responses, a streamed one over chat
 * completions, and a refused call.
 */

const provider = tracerProvider()
const instrumentation = new OpenAIAgentsInstrumentation({ tracerProvider: provider })
instrumentation.manuallyInstrument(agents)
const openai = new OpenAI({ baseURL: modelUrl, apiKey: 'none', maxRetries: 0 })

const agentWith = (model) =>
  new agents.Agent({
    name: 'weather',
    instructions: system,
    model,
    tools: [
      agents.tool({
        name: 'get_weather',
        description: 'The weather in a city, now.',
        parameters: z.object({ city: z.string() }),
        execute: async ({ city }) => weatherIn(city),
      }),
    ],
  })
const inWorkflow = (run) => agents.withTrace('workflow', run, { groupId: session })

const responses = (model) => new agents.OpenAIResponsesModel(openai, model)
await inWorkflow(() => agents.run(agentWith(responses('gpt-4o-mini')), question))
const chat = new agents.OpenAIChatCompletionsModel(openai, 'gpt-4o-mini')
await inWorkflow(async () => {
  const streamed = await agents.run(agentWith(chat), question, { stream: true })
  for await (const _event of streamed);
  await streamed.completed
})
await expectRefusal(inWorkflow(() => agents.run(agentWith(responses('refused-model')), question)))
await agents.getGlobalTraceProvider().forceFlush()
await provider.shutdown()
