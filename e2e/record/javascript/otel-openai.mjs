import { createRequire } from 'node:module'
import { metrics } from '@opentelemetry/api'
import { OpenAIInstrumentation } from '@opentelemetry/instrumentation-openai'
import { askOpenAI, modelUrl, tracerProvider } from './conversation.mjs'

/*
 * OpenAI, instrumented by OpenTelemetry, which patches what `require` loads.
 */

const provider = tracerProvider()
const instrumentation = new OpenAIInstrumentation({ captureMessageContent: true })
instrumentation.setTracerProvider(provider)
instrumentation.setMeterProvider(metrics.getMeterProvider())
const OpenAI = createRequire(import.meta.url)('openai')
await askOpenAI(new OpenAI({ baseURL: modelUrl, apiKey: 'none', maxRetries: 0 }))
await provider.shutdown()
