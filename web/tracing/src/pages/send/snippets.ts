/*
 * Snippets to send a first trace. Each takes as few steps as its tool allows, and sends one trace.
 */

export interface Snippet {
  readonly id: string
  readonly title: string
  /** A description, with requirements. */
  readonly lead: string
  readonly steps: readonly Step[]
}

export interface Step {
  readonly label: string
  readonly text: string
}

/** Used while no key is available. */
export const keyPlaceholder = '<your tracing key>'

/** The snippets for a service at `origin`, with `key` filled in. */
export function snippetsFor(origin: string, key: string): readonly Snippet[] {
  const at = { origin, key }
  return [curl(at), environment(at), node(at), python(at), aiSdk(at), openInference(at)]
}

interface Target {
  readonly origin: string
  readonly key: string
}

function exporterVariables({ origin, key }: Target): string {
  return `export OTEL_EXPORTER_OTLP_ENDPOINT="${origin}/api"
export OTEL_EXPORTER_OTLP_HEADERS="x-tracing-key=${key}"`
}

function curl({ origin, key }: Target): Snippet {
  return {
    id: 'curl',
    title: 'curl',
    lead: 'One request with a trace of two spans: an agent and the model call within it.',
    steps: [
      {
        label: 'Run in a terminal',
        text: `now=$(date -u +%Y-%m-%dT%H:%M:%SZ)
curl "${origin}/api/v1/traces/ingest" \\
  -H "x-tracing-key: ${key}" \\
  -H "Content-Type: application/json" \\
  -d @- <<JSON
{
  "trace_id": "first-$(date +%s)",
  "root_name": "first trace",
  "spans": [
    {
      "span_id": "agent",
      "name": "answer a question",
      "kind": "agent",
      "input": "Is anyone there?",
      "output": "Yes. Your first trace has arrived.",
      "started_at": "$now",
      "latency_ms": 1200
    },
    {
      "span_id": "model",
      "parent_span_id": "agent",
      "name": "ask the model",
      "kind": "llm",
      "model": "gpt-4o-mini",
      "tokens_in": 12,
      "tokens_out": 9,
      "input": { "messages": [{ "role": "user", "content": "Is anyone there?" }] },
      "output": { "messages": [{ "role": "assistant", "content": "Yes. Your first trace has arrived." }] },
      "started_at": "$now",
      "latency_ms": 900
    }
  ]
}
JSON`,
      },
    ],
  }
}

function environment(at: Target): Snippet {
  return {
    id: 'environment',
    title: 'Any exporter',
    lead: 'Any OTLP exporter over HTTP needs only these two variables; it adds /v1/traces to the address.',
    steps: [
      { label: 'Set before your program starts', text: exporterVariables(at) },
      {
        label: 'If your exporter defaults to gRPC',
        text: 'export OTEL_EXPORTER_OTLP_PROTOCOL="http/protobuf"',
      },
    ],
  }
}

function node(at: Target): Snippet {
  return {
    id: 'node',
    title: 'Node',
    lead: 'The OpenTelemetry SDK for Node with a manual span.',
    steps: [
      {
        label: 'Install',
        text: 'npm install @opentelemetry/api @opentelemetry/sdk-node @opentelemetry/exporter-trace-otlp-proto',
      },
      {
        label: 'Save as first-trace.mjs',
        text: `import { trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { NodeSDK } from '@opentelemetry/sdk-node'

const sdk = new NodeSDK({ serviceName: 'first-trace', traceExporter: new OTLPTraceExporter() })
sdk.start()

trace.getTracer('first-trace').startActiveSpan('chat gpt-4o-mini', (span) => {
  span.setAttributes({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'gpt-4o-mini',
    'gen_ai.usage.input_tokens': 12,
    'gen_ai.usage.output_tokens': 9,
  })
  span.end()
})

await sdk.shutdown()`,
      },
      {
        label: 'Run',
        text: `${exporterVariables(at)}
node first-trace.mjs`,
      },
    ],
  }
}

function python(at: Target): Snippet {
  return {
    id: 'python',
    title: 'Python',
    lead: 'The OpenTelemetry SDK for Python with a manual span.',
    steps: [
      {
        label: 'Install',
        text: 'pip install opentelemetry-sdk opentelemetry-exporter-otlp-proto-http',
      },
      {
        label: 'Save as first_trace.py',
        text: `from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
trace.set_tracer_provider(provider)

with trace.get_tracer("first-trace").start_as_current_span("chat gpt-4o-mini") as span:
    span.set_attribute("gen_ai.operation.name", "chat")
    span.set_attribute("gen_ai.request.model", "gpt-4o-mini")
    span.set_attribute("gen_ai.usage.input_tokens", 12)
    span.set_attribute("gen_ai.usage.output_tokens", 9)

provider.shutdown()`,
      },
      {
        label: 'Run',
        text: `${exporterVariables(at)}
export OTEL_SERVICE_NAME="first-trace"
python first_trace.py`,
      },
    ],
  }
}

function aiSdk(at: Target): Snippet {
  return {
    id: 'ai-sdk',
    title: 'AI SDK',
    lead: 'The Vercel AI SDK 7 reports its calls, steps and tools to OpenTelemetry once its integration is registered.',
    steps: [
      {
        label: 'Install',
        text: 'npm install ai @ai-sdk/openai @ai-sdk/otel @opentelemetry/sdk-node @opentelemetry/exporter-trace-otlp-proto',
      },
      {
        label: 'Save as first-trace.mjs',
        text: `import { openai } from '@ai-sdk/openai'
import { OpenTelemetry } from '@ai-sdk/otel'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { NodeSDK } from '@opentelemetry/sdk-node'
import { generateText, registerTelemetry } from 'ai'

const sdk = new NodeSDK({ serviceName: 'first-trace', traceExporter: new OTLPTraceExporter() })
sdk.start()
registerTelemetry(new OpenTelemetry())

const { text } = await generateText({
  model: openai('gpt-4o-mini'),
  prompt: 'Is anyone there?',
  telemetry: { functionId: 'first-trace' },
})
console.log(text)

await sdk.shutdown()`,
      },
      {
        label: 'Run',
        text: `${exporterVariables(at)}
export OPENAI_API_KEY="…"
node first-trace.mjs`,
      },
    ],
  }
}

function openInference(at: Target): Snippet {
  return {
    id: 'openinference',
    title: 'OpenInference',
    lead: 'OpenInference instruments OpenAI, Anthropic, LangChain, LlamaIndex and others without changes to your code. This example is for OpenAI in Python.',
    steps: [
      {
        label: 'Install',
        text: 'pip install openai openinference-instrumentation-openai opentelemetry-sdk opentelemetry-exporter-otlp-proto-http',
      },
      {
        label: 'Save as first_trace.py',
        text: `from openai import OpenAI
from openinference.instrumentation.openai import OpenAIInstrumentor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
OpenAIInstrumentor().instrument(tracer_provider=provider)

answer = OpenAI().chat.completions.create(
    model="gpt-4o-mini",
    messages=[{"role": "user", "content": "Is anyone there?"}],
)
print(answer.choices[0].message.content)

provider.shutdown()`,
      },
      {
        label: 'Run',
        text: `${exporterVariables(at)}
export OPENAI_API_KEY="…"
python first_trace.py`,
      },
    ],
  }
}
