import { OpenAIInstrumentation } from '@traceloop/instrumentation-openai'
import OpenAI from 'openai'
import { askOpenAI, modelUrl, tracerProvider } from './conversation.mjs'

/*
 * OpenAI, instrumented by OpenLLMetry.
 */

const provider = tracerProvider()
const instrumentation = new OpenAIInstrumentation()
instrumentation.setTracerProvider(provider)
instrumentation.manuallyInstrument(OpenAI)
await askOpenAI(new OpenAI({ baseURL: modelUrl, apiKey: 'none', maxRetries: 0 }))
await provider.shutdown()
