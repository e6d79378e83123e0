import { AnthropicInstrumentation as OpenInference } from '@arizeai/openinference-instrumentation-anthropic'
import { trace } from '@opentelemetry/api'
import { AnthropicInstrumentation as OpenLLMetry } from '@traceloop/instrumentation-anthropic'
import { askAnthropic, modelUrl, tracerProvider } from './conversation.mjs'

/*
 * Anthropic's SDK, whose own spans are on unless ANTHROPIC_OPEN_TELEMETRY is false, with or without another
 * instrumentation, in a span of the application.
 */

const { INSTRUMENTATION, ANTHROPIC_SDK = '@anthropic-ai/sdk' } = process.env
const provider = tracerProvider()
const anthropic = await import(ANTHROPIC_SDK)
if (INSTRUMENTATION === 'openllmetry') {
  const instrumentation = new OpenLLMetry()
  instrumentation.setTracerProvider(provider)
  instrumentation.manuallyInstrument(anthropic)
} else if (INSTRUMENTATION === 'openinference') {
  const instrumentation = new OpenInference({ tracerProvider: provider })
  instrumentation.manuallyInstrument(anthropic.default)
}

const baseURL = modelUrl.replace('/v1', '')
const client = new anthropic.default({ baseURL, apiKey: 'none', maxRetries: 0 })
await trace.getTracer('app').startActiveSpan('weather', async (span) => {
  await askAnthropic(client)
  span.end()
})
await provider.shutdown()
