import { LangChainInstrumentation as OpenInference } from '@arizeai/openinference-instrumentation-langchain'
import { ChatAnthropic } from '@langchain/anthropic'
import * as callbacks from '@langchain/core/callbacks/manager'
import { awaitAllCallbacks } from '@langchain/core/callbacks/promises'
import { HumanMessage, SystemMessage } from '@langchain/core/messages'
import { RunnableLambda } from '@langchain/core/runnables'
import { tool } from '@langchain/core/tools'
import { ChatOpenAI } from '@langchain/openai'
import { CallbackHandler } from '@langfuse/langchain'
import { LangfuseSpanProcessor } from '@langfuse/otel'
import { LangChainInstrumentation as OpenLLMetry } from '@traceloop/instrumentation-langchain'
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
 * LangChain's models and tool with one provider and one instrumentation: a whole call, a streamed and a refused one.
 */

const { INSTRUMENTATION, CHAT } = process.env
const { shutdown, handlers } = instrument()

const getWeather = tool(({ city }) => JSON.stringify(weatherIn(city)), {
  name: 'get_weather',
  description: 'The weather in a city, now.',
  schema: z.object({ city: z.string() }),
})
const config = {
  callbacks: handlers,
  metadata: {
    session_id: session,
    user_id: user,
    langfuseSessionId: session,
    langfuseUserId: user,
  },
}
const messages = [new SystemMessage(system), new HumanMessage(question)]
const agent = RunnableLambda.from(async (_question, within) => {
  const calling = await chat().bindTools([getWeather]).invoke(messages, within)
  const answered = await getWeather.invoke(calling.tool_calls[0], within)
  let answer
  for await (const chunk of await chat()
    .bindTools([getWeather])
    .stream([...messages, calling, answered], within)) {
    answer = answer?.concat(chunk) ?? chunk
  }
  return answer.text
}).withConfig({ runName: 'weather' })
await agent.invoke(question, config)
await expectRefusal(chat('refused-model').invoke(messages, config))
await awaitAllCallbacks()
await shutdown()

function chat(model) {
  const common = { apiKey: 'none', maxRetries: 0 }
  if (CHAT === 'anthropic') {
    const anthropicApiUrl = modelUrl.replace('/v1', '')
    return new ChatAnthropic({ ...common, model: model ?? 'claude-sonnet-4-5', anthropicApiUrl })
  }
  return new ChatOpenAI({
    ...common,
    model: model ?? 'gpt-4o-mini',
    streamUsage: true,
    configuration: { baseURL: modelUrl },
  })
}

function instrument() {
  if (INSTRUMENTATION === 'langfuse') {
    const provider = tracerProvider([
      new LangfuseSpanProcessor({ flushAt: 1000, flushInterval: 600 }),
    ])
    return { handlers: [new CallbackHandler()], shutdown: () => provider.shutdown() }
  }
  const provider = tracerProvider()
  if (INSTRUMENTATION === 'openllmetry') {
    const instrumentation = new OpenLLMetry()
    instrumentation.setTracerProvider(provider)
    instrumentation.manuallyInstrument({ callbackManagerModule: callbacks })
  } else {
    const instrumentation = new OpenInference({ tracerProvider: provider })
    instrumentation.manuallyInstrument(callbacks)
  }
  return { shutdown: () => provider.shutdown() }
}
