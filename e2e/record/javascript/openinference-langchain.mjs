import { LangChainInstrumentation } from '@arizeai/openinference-instrumentation-langchain'
import * as callbacks from '@langchain/core/callbacks/manager'
import { HumanMessage, SystemMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { ChatOpenAI } from '@langchain/openai'
import { z } from 'zod'
import {
  model,
  modelUrl,
  question,
  session,
  system,
  tracerProvider,
  weatherIn,
} from './conversation.mjs'

/*
 * LangChain's model and tool, instrumented by OpenInference.
 */

const provider = tracerProvider()
const instrumentation = new LangChainInstrumentation({ tracerProvider: provider })
instrumentation.manuallyInstrument(callbacks)

const getWeather = tool(({ city }) => JSON.stringify(weatherIn(city)), {
  name: 'get_weather',
  description: 'The weather in a city, now.',
  schema: z.object({ city: z.string() }),
})
const chat = new ChatOpenAI({
  model,
  apiKey: 'none',
  maxRetries: 0,
  configuration: { baseURL: modelUrl },
})
const agent = chat.bindTools([getWeather])
const config = { metadata: { session_id: session } }

const messages = [new SystemMessage(system), new HumanMessage(question)]
const calling = await agent.invoke(messages, config)
const answered = await getWeather.invoke(calling.tool_calls[0], config)
await agent.invoke([...messages, calling, answered], config)
await provider.shutdown()
