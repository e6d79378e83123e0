import { createOpenAI } from '@ai-sdk/openai'
import { LegacyOpenTelemetry, OpenTelemetry } from '@ai-sdk/otel'
import { OpenAIInstrumentation } from '@arizeai/openinference-instrumentation-openai'
import { context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { TracerProvider } from '@opentelemetry/sdk-trace'
import { generateText, isStepCount, type Telemetry, tool } from 'ai'
import OpenAI from 'openai'
import { z } from 'zod'
import { refusedModel } from '../fake-provider.ts'

/*
 * Typical instrumented agents, each against the fake provider: a question that needs a tool call and, where
 * the instrumentation ends the span of a failed call, a call that is refused. Spans only find their parents
 * where a context manager is registered.
 */

export interface Client {
  readonly name: string
  /** Makes the calls; their spans go to `provider`. */
  run(provider: TracerProvider, modelUrl: string): Promise<void>
}

export const clients: readonly Client[] = [
  {
    name: 'ai-sdk',
    run: (provider, modelUrl) =>
      runAiSdk(modelUrl, new OpenTelemetry({ tracer: provider.getTracer('gen_ai') })),
  },
  {
    name: 'ai-sdk-legacy',
    run: (provider, modelUrl) =>
      runAiSdk(modelUrl, new LegacyOpenTelemetry({ tracer: provider.getTracer('ai') })),
  },
  { name: 'openinference', run: runOpenInference },
  { name: 'sdk', run: runSdk },
]

const model = 'gpt-4o-mini'
const system = 'You are terse.'
const question = 'Weather in Paris? 🌧'
const weather = { temp: 14, sky: 'rain' }

async function runAiSdk(modelUrl: string, telemetry: Telemetry): Promise<void> {
  const openai = createOpenAI({ baseURL: modelUrl, apiKey: 'none' })
  const call = (modelId: string) =>
    generateText({
      model: openai(modelId),
      instructions: system,
      prompt: question,
      tools: {
        get_weather: tool({
          description: 'The weather in a city, now.',
          inputSchema: z.object({ city: z.string() }),
          execute: async () => weather,
        }),
      },
      stopWhen: isStepCount(5),
      maxRetries: 0,
      telemetry: { functionId: 'weather', integrations: telemetry },
    })
  await call(model)
  await expectRefusal(call(refusedModel))
}

async function runOpenInference(provider: TracerProvider, modelUrl: string): Promise<void> {
  const instrumentation = new OpenAIInstrumentation({ tracerProvider: provider })
  instrumentation.manuallyInstrument(OpenAI)
  const openai = new OpenAI({ baseURL: modelUrl, apiKey: 'none', maxRetries: 0 })
  const tools = [
    {
      type: 'function',
      function: {
        name: 'get_weather',
        parameters: { type: 'object', properties: { city: { type: 'string' } } },
      },
    },
  ] as const
  const prompt = [
    { role: 'system', content: system },
    { role: 'user', content: question },
  ] as const
  const chat = openai.chat.completions
  const first = await chat.create({ model, messages: [...prompt], tools: [...tools] })
  const called = first.choices[0]?.message
  if (called === undefined) throw new Error('the fake provider returned no choice')
  const answered = {
    role: 'tool',
    tool_call_id: 'call_1',
    content: JSON.stringify(weather),
  } as const
  await chat.create({ model, messages: [...prompt, called, answered], tools: [...tools] })
  await openai.responses.create({ model, instructions: system, input: question })
  instrumentation.disable()
}

/** Spans of an application without a convention: kinds, events, links, an exception, unusual values. */
async function runSdk(provider: TracerProvider): Promise<void> {
  const tracer = provider.getTracer('shop', '2.1.0')
  const server = tracer.startSpan('GET /orders/:id', {
    kind: SpanKind.SERVER,
    attributes: { 'http.response.status_code': 500, 'http.route': '/orders/:id', big: 2 ** 53 - 1 },
  })
  const inServer = trace.setSpan(ROOT_CONTEXT, server)
  const query = tracer.startSpan(
    'SELECT orders',
    {
      kind: SpanKind.CLIENT,
      attributes: {
        'db.system.name': 'postgresql',
        nothing: Number.NaN,
        ratio: 0.25,
        flags: [true, false],
      },
      links: [{ context: server.spanContext(), attributes: { why: 'asked by' } }],
    },
    inServer,
  )
  query.addEvent('rows', { count: 0 })
  // Without a stack, which would contain paths of the machine.
  query.recordException({ name: 'RangeError', message: 'order 7 is unknown' })
  query.setStatus({ code: SpanStatusCode.ERROR, message: 'no such order' })
  query.end()
  context.with(inServer, () => server.setStatus({ code: SpanStatusCode.OK }))
  server.end()
}

async function expectRefusal(call: Promise<unknown>): Promise<void> {
  const outcome = await call.then(
    () => 'answered',
    () => 'refused',
  )
  if (outcome !== 'refused')
    throw new Error('the fake provider accepted a request that it should refuse')
}
