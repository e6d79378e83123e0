import { initializeOTEL } from 'langsmith/experimental/otel/setup'
import { traceable } from 'langsmith/traceable'
import { wrapOpenAI } from 'langsmith/wrappers/openai'
import OpenAI from 'openai'
import { askOpenAI, modelUrl, weatherIn } from './conversation.mjs'

/*
 * LangSmith's OpenAI client, exported over OpenTelemetry.
 */

const { DEFAULT_LANGSMITH_SPAN_PROCESSOR: processor } = initializeOTEL()
const client = wrapOpenAI(new OpenAI({ baseURL: modelUrl, apiKey: 'none', maxRetries: 0 }))
const getWeather = traceable(weatherIn, { name: 'get_weather', run_type: 'tool' })
const weather = traceable(() => askOpenAI(client, getWeather), {
  name: 'weather',
  metadata: { session_id: 'session-1' },
})
await weather()
await processor.forceFlush()
await processor.shutdown()
