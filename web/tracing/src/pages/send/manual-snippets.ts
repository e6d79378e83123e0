import { exporterVariables, type Snippet, type Target } from './snippet.ts'

/*
 * Snippets without an agent framework, and for the AI SDK.
 */

export function manualSnippets(at: Target): readonly Snippet[] {
  return [curl(at), environment(at), node(at), python(at), aiSdk(at)]
}

function curl({ origin, key }: Target): Snippet {
  return {
    id: 'curl',
    title: 'curl',
    lead: 'One request with a trace of two spans: an agent and the model call within it.',
    tested: 'run',
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
    tested: 'run',
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
    lead: 'The OpenTelemetry SDK for JavaScript with a manual span.',
    tested: 'run',
    steps: [
      {
        label: 'Install',
        text: 'npm install @opentelemetry/sdk-trace @opentelemetry/exporter-trace-otlp-proto',
      },
      {
        label: 'Save as first-trace.mjs',
        text: `import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'

const exporter = new OTLPTraceExporter()
const provider = new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] })

const span = provider.getTracer('first-trace').startSpan('chat gpt-4o-mini')
span.setAttributes({
  'gen_ai.operation.name': 'chat',
  'gen_ai.request.model': 'gpt-4o-mini',
  'gen_ai.usage.input_tokens': 12,
  'gen_ai.usage.output_tokens': 9,
  'gen_ai.input.messages': JSON.stringify([
    { role: 'user', parts: [{ type: 'text', content: 'Is anyone there?' }] },
  ]),
  'gen_ai.output.messages': JSON.stringify([
    { role: 'assistant', parts: [{ type: 'text', content: 'Yes. Your first trace has arrived.' }] },
  ]),
})
span.end()

await provider.shutdown()`,
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
    tested: 'no',
    steps: [
      {
        label: 'Install',
        text: 'pip install opentelemetry-sdk opentelemetry-exporter-otlp-proto-http',
      },
      {
        label: 'Save as first_trace.py',
        text: `import json

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))

question = {"role": "user", "parts": [{"type": "text", "content": "Is anyone there?"}]}
text = "Yes. Your first trace has arrived."
answer = {"role": "assistant", "parts": [{"type": "text", "content": text}]}
with provider.get_tracer("first-trace").start_as_current_span("chat gpt-4o-mini") as span:
    span.set_attribute("gen_ai.operation.name", "chat")
    span.set_attribute("gen_ai.request.model", "gpt-4o-mini")
    span.set_attribute("gen_ai.usage.input_tokens", 12)
    span.set_attribute("gen_ai.usage.output_tokens", 9)
    span.set_attribute("gen_ai.input.messages", json.dumps([question]))
    span.set_attribute("gen_ai.output.messages", json.dumps([answer]))

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
    tested: 'run',
    steps: [
      {
        label: 'Install',
        text: 'npm install ai @ai-sdk/openai @ai-sdk/otel @opentelemetry/sdk-trace @opentelemetry/exporter-trace-otlp-proto',
      },
      {
        label: 'Save as first-trace.mjs',
        text: `import { openai } from '@ai-sdk/openai'
import { OpenTelemetry } from '@ai-sdk/otel'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { generateText, registerTelemetry } from 'ai'

const exporter = new OTLPTraceExporter()
const provider = new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] })
registerTelemetry(new OpenTelemetry({ tracer: provider.getTracer('first-trace') }))

const { text } = await generateText({
  model: openai('gpt-4o-mini'),
  prompt: 'Is anyone there?',
  telemetry: { functionId: 'first-trace' },
})
console.log(text)

await provider.shutdown()`,
      },
      {
        label: 'Run',
        text: `${exporterVariables(at)}
export OPENAI_API_KEY="<your OpenAI key>"
node first-trace.mjs`,
      },
    ],
  }
}
