import { exporterVariables, type Snippet, type Target } from './snippet.ts'

/*
 * Snippets for agent frameworks and clients of models in Python, through their instrumentation.
 */

export function pythonSnippets(at: Target): readonly Snippet[] {
  return clients.map((client) => toSnippet(client, at))
}

interface PythonClient extends Pick<Snippet, 'id' | 'title' | 'lead'> {
  /** Beside the exporter. */
  readonly packages: string
  /** The statements that import the client and its instrumentation. */
  readonly imports: string
  /** Instruments the client with `provider`, calls a model and prints its answer. */
  readonly program: string
  readonly provider: keyof typeof providerKeys
}

const providerKeys = {
  openai: 'OPENAI_API_KEY="<your OpenAI key>"',
  anthropic: 'ANTHROPIC_API_KEY="<your Anthropic key>"',
} as const

const clients: readonly PythonClient[] = [
  {
    id: 'openinference',
    title: 'OpenAI',
    lead: 'The OpenAI client, instrumented by OpenInference without changes to your calls.',
    packages: 'openai openinference-instrumentation-openai',
    imports: `from openai import OpenAI
from openinference.instrumentation.openai import OpenAIInstrumentor`,
    program: `OpenAIInstrumentor().instrument(tracer_provider=provider)

answer = OpenAI().chat.completions.create(
    model="gpt-4o-mini",
    messages=[{"role": "user", "content": "Is anyone there?"}],
)
print(answer.choices[0].message.content)`,
    provider: 'openai',
  },
  {
    id: 'anthropic',
    title: 'Anthropic',
    lead: 'The Anthropic client, instrumented by OpenInference without changes to your calls.',
    packages: 'anthropic openinference-instrumentation-anthropic',
    imports: `from anthropic import Anthropic
from openinference.instrumentation.anthropic import AnthropicInstrumentor`,
    program: `AnthropicInstrumentor().instrument(tracer_provider=provider)

answer = Anthropic().messages.create(
    model="claude-sonnet-4-5",
    max_tokens=200,
    messages=[{"role": "user", "content": "Is anyone there?"}],
)
print(answer.content[0].text)`,
    provider: 'anthropic',
  },
  {
    id: 'langchain',
    title: 'LangChain',
    lead: 'LangChain and LangGraph, instrumented by OpenInference: agents, model calls and tools.',
    packages: 'langchain langchain-openai openinference-instrumentation-langchain',
    imports: `from langchain.agents import create_agent
from openinference.instrumentation.langchain import LangChainInstrumentor`,
    program: `LangChainInstrumentor().instrument(tracer_provider=provider)

agent = create_agent("openai:gpt-4o-mini", tools=[], name="greeter")
answer = agent.invoke({"messages": [{"role": "user", "content": "Is anyone there?"}]})
print(answer["messages"][-1].content)`,
    provider: 'openai',
  },
  {
    id: 'litellm',
    title: 'LiteLLM',
    lead: 'LiteLLM, instrumented by OpenInference. It also reports the cost that LiteLLM calculates.',
    packages: 'litellm openinference-instrumentation-litellm',
    imports: `import litellm
from openinference.instrumentation.litellm import LiteLLMInstrumentor`,
    program: `LiteLLMInstrumentor().instrument(tracer_provider=provider)

answer = litellm.completion(
    model="openai/gpt-4o-mini",
    messages=[{"role": "user", "content": "Is anyone there?"}],
)
print(answer.choices[0].message.content)`,
    provider: 'openai',
  },
  {
    id: 'pydantic-ai',
    title: 'Pydantic AI',
    lead: 'Pydantic AI 2 reports its agents, model calls and tools itself.',
    packages: '"pydantic-ai-slim[openai]"',
    imports: `from pydantic_ai import Agent
from pydantic_ai.capabilities import Instrumentation
from pydantic_ai.models.instrumented import InstrumentationSettings`,
    program: `instrumentation = Instrumentation(settings=InstrumentationSettings(tracer_provider=provider))

agent = Agent("openai:gpt-4o-mini", name="greeter", capabilities=[instrumentation])
print(agent.run_sync("Is anyone there?").output)`,
    provider: 'openai',
  },
]

function toSnippet({ id, title, lead, ...client }: PythonClient, at: Target): Snippet {
  return {
    ...{ id, title, lead },
    tested: 'recorded',
    steps: [
      {
        label: 'Install',
        text: `pip install ${client.packages} opentelemetry-sdk opentelemetry-exporter-otlp-proto-http`,
      },
      {
        label: 'Save as first_trace.py',
        text: `${client.imports}
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
${client.program}

provider.shutdown()`,
      },
      {
        label: 'Run',
        text: `${exporterVariables(at)}
export ${providerKeys[client.provider]}
python first_trace.py`,
      },
    ],
  }
}
