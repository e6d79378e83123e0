/*
 * Clients that are recorded in separate processes, because they are Python or too large to install in this
 * repository. Each runs one script from the folder of its language.
 */

export interface SetUp {
  /** The name of the recording. */
  readonly name: string
  readonly language: 'python' | 'javascript' | 'java' | 'go' | 'rust'
  /** Without the extension; a folder if the client is compiled. */
  readonly script: string
  /** The Python environment, created from the requirements of this name. */
  readonly environment?: string
  readonly env?: Readonly<Record<string, string>>
  /** For clients that record paths relative to the working directory: they run next to their script. */
  readonly recordsPaths?: boolean
}

const contentOnSpans = { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'SPAN_ONLY' }
const anthropic = { PROVIDER: 'anthropic' }
const quietAnthropic = { ANTHROPIC_OPEN_TELEMETRY: 'false' }
/** A delay longer than any recording. */
const oneRequest = { OTEL_BSP_SCHEDULE_DELAY: '600000' }
const latestGenAi = { OTEL_SEMCONV_STABILITY_OPT_IN: 'gen_ai_latest_experimental' }

function python(
  name: string,
  script: string,
  environment: string,
  env: Readonly<Record<string, string>> = {},
): SetUp {
  return { name, language: 'python', script, environment, env }
}

/** For Logfire, which records the host and the paths of callers. */
function logfire(
  name: string,
  script: string,
  environment: string,
  env: Readonly<Record<string, string>> = {},
): SetUp {
  const resource = { OTEL_RESOURCE_ATTRIBUTES: 'host.name=host,host.id=0' }
  return { ...python(name, script, environment, { ...resource, ...env }), recordsPaths: true }
}

function bedrock(name: string, environment: string, instrumentation: string, calls: string): SetUp {
  const env = { INSTRUMENTATION: instrumentation, CALLS: calls }
  return python(name, 'bedrock_clients', environment, env)
}

function javascript(
  name: string,
  script: string,
  env: Readonly<Record<string, string>> = {},
): SetUp {
  return { name, language: 'javascript', script, env }
}

/** The AI SDK, which is installed under a name for each major version. */
function aiSdk(version: 5 | 6, AI_PROVIDER: 'openai' | 'openai-chat' | 'anthropic'): SetUp {
  const AI_SDK = `ai-sdk-${version}`
  return javascript(`${AI_SDK}-${AI_PROVIDER}`, 'ai-sdk', { AI_SDK, AI_PROVIDER })
}

function langChain(name: string, INSTRUMENTATION: string, CHAT: 'openai' | 'anthropic'): SetUp {
  return javascript(name, 'langchain', { INSTRUMENTATION, CHAT, ...quietAnthropic })
}

const langSmith = {
  LANGSMITH_TRACING: 'true',
  LANGSMITH_OTEL_ENABLED: 'true',
  LANGSMITH_API_KEY: 'a key',
  LANGSMITH_ENDPOINT: 'http://127.0.0.1:9',
}
// The latest SDK that this instrumentation works with.
const openLLMetryAnthropic = { INSTRUMENTATION: 'openllmetry', ANTHROPIC_SDK: 'anthropic-sdk-0' }

/** Without the providers of OpenTelemetry's agent for the host and the process, which record paths. */
const resourceProviders = 'io.opentelemetry.instrumentation.resources'
const javaAgent = {
  OTEL_JAVA_DISABLED_RESOURCE_PROVIDERS: ['Host', 'HostId', 'Os', 'Process', 'ProcessRuntime']
    .map((name) => `${resourceProviders}.${name}ResourceProvider`)
    .join(','),
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
  OTEL_METRICS_EXPORTER: 'none',
  ...oneRequest,
}

export const setUps: readonly SetUp[] = [
  python('otel-openai-v2', 'otel_openai_v2', 'otel-openai-v2'),
  python('otel-genai-openai', 'otel_genai_openai', 'otel-genai-openai', contentOnSpans),
  python('otel-genai-anthropic', 'otel_genai_anthropic', 'otel-genai-anthropic', {
    ...contentOnSpans,
    ...quietAnthropic,
  }),
  python('otel-google-genai', 'otel_google_genai', 'otel-google-genai', {
    ...contentOnSpans,
    ...latestGenAi,
  }),
  python('openinference-python', 'openinference_openai', 'openinference'),
  python('openinference-anthropic', 'openinference_anthropic', 'openinference'),
  python('openinference-langgraph', 'openinference_langgraph', 'openinference-langgraph'),
  python('openinference-smolagents', 'openinference_smolagents', 'openinference-smolagents'),
  python('openinference-crewai', 'openinference_crewai', 'crewai'),
  python('openinference-openai-agents', 'openinference_openai_agents', 'openai-agents'),
  python('openllmetry-python', 'openllmetry_openai', 'openllmetry'),
  python('openllmetry-python-2025', 'openllmetry_openai', 'openllmetry-2025'),
  python('openllmetry-crewai', 'openllmetry_crewai', 'crewai'),
  python('langfuse-python', 'langfuse_openai', 'langfuse'),
  python('langfuse-endpoint', 'langfuse_endpoint', 'langfuse-clients'),
  python('langsmith', 'langsmith_langgraph', 'langsmith'),
  python('langsmith-langgraph-anthropic', 'langsmith_langgraph', 'langsmith-langgraph', {
    ...anthropic,
    ...quietAnthropic,
  }),
  python(
    'langsmith-langgraph-anthropic-apart',
    'langsmith_langgraph',
    'langsmith-langgraph',
    anthropic,
  ),
  python('langsmith-openai', 'langsmith_clients', 'langsmith-clients'),
  python('langsmith-anthropic', 'langsmith_clients', 'langsmith-clients', anthropic),
  python('mlflow', 'mlflow_openai', 'mlflow'),
  python('mlflow-anthropic', 'mlflow_anthropic', 'mlflow-clients', quietAnthropic),
  python('mlflow-langgraph', 'mlflow_langgraph', 'mlflow-clients', {
    ...anthropic,
    ...quietAnthropic,
  }),
  python('mlflow-3.8', 'mlflow_openai', 'mlflow-3.8'),
  python('mlflow-3.8-anthropic', 'mlflow_anthropic', 'mlflow-3.8'),
  python('mlflow-3.8-langgraph', 'mlflow_langgraph', 'mlflow-3.8', anthropic),
  python('pydantic-ai-2', 'pydantic_ai_agent', 'pydantic-ai', { PYDANTIC_AI_FORMAT: '2' }),
  python('pydantic-ai-6', 'pydantic_ai_agent', 'pydantic-ai', { PYDANTIC_AI_FORMAT: '6' }),
  python('pydantic-ai-anthropic', 'pydantic_ai_agent', 'logfire-5', {
    ...anthropic,
    PYDANTIC_AI_FORMAT: '6',
  }),
  python('pydantic-ai-1', 'pydantic_ai_events', 'pydantic-ai-1'),
  python('pydantic-ai-1-anthropic', 'pydantic_ai_events', 'pydantic-ai-1', anthropic),
  logfire('logfire', 'logfire_openai', 'pydantic-ai'),
  logfire('logfire-anthropic', 'logfire_anthropic', 'logfire-5'),
  logfire('logfire-responses', 'logfire_responses', 'logfire-5'),
  logfire('logfire-agents', 'logfire_openai_agents', 'logfire-5'),
  logfire('logfire-4', 'logfire_openai', 'logfire-4'),
  logfire('logfire-4-anthropic', 'logfire_anthropic', 'logfire-4'),
  logfire('logfire-4-responses', 'logfire_responses', 'logfire-4'),
  logfire('logfire-pydantic-ai', 'logfire_pydantic_ai', 'logfire-5', anthropic),
  python('openinference-anthropic-siblings', 'openinference_anthropic_siblings', 'anthropic'),
  python('anthropic', 'anthropic_own_spans', 'anthropic'),
  python('anthropic-openinference', 'anthropic_own_spans', 'anthropic', {
    BESIDE: 'openinference',
  }),
  python(
    'openinference-langgraph-anthropic',
    'openinference_langgraph',
    'openinference-langchain',
    {
      ...anthropic,
      ...quietAnthropic,
    },
  ),
  python('openinference-langgraph-bedrock', 'openinference_langgraph', 'openinference-langchain', {
    PROVIDER: 'bedrock',
  }),
  python('openllmetry-langgraph', 'openllmetry_langgraph', 'openllmetry-langchain'),
  python('openllmetry-langgraph-anthropic', 'openllmetry_langgraph', 'openllmetry-langchain', {
    ...anthropic,
    ...quietAnthropic,
  }),
  bedrock('otel-botocore-converse', 'bedrock', 'opentelemetry', 'converse'),
  bedrock('otel-botocore-invoke', 'bedrock', 'opentelemetry', 'invoke_model'),
  bedrock('openinference-bedrock-converse', 'bedrock', 'openinference', 'converse'),
  bedrock('openinference-bedrock-invoke', 'bedrock', 'openinference', 'invoke_model'),
  bedrock('openllmetry-bedrock-converse', 'openllmetry-bedrock', 'openllmetry', 'converse'),
  bedrock('openllmetry-bedrock-invoke', 'openllmetry-bedrock', 'openllmetry', 'invoke_model'),
  python('openlit-openai', 'openlit_clients', 'openlit', oneRequest),
  python('openlit-anthropic', 'openlit_clients', 'openlit', { ...anthropic, ...oneRequest }),
  python('openinference-llama-index', 'llama_index_agent', 'llama-index', {
    INSTRUMENTATION: 'openinference',
  }),
  python('openllmetry-llama-index', 'llama_index_agent', 'llama-index', {
    INSTRUMENTATION: 'openllmetry',
  }),
  python('openinference-autogen', 'autogen_agent', 'autogen'),
  python('openinference-pydantic-ai', 'openinference_pydantic_ai', 'openinference-pydantic-ai', {
    ...anthropic,
    ...quietAnthropic,
  }),
  python('openinference-google-genai', 'openinference_google_genai', 'openinference-google-genai'),
  python('openinference-litellm', 'openinference_litellm', 'openinference-litellm'),
  python(
    'openinference-litellm-anthropic',
    'openinference_litellm',
    'openinference-litellm',
    anthropic,
  ),
  python('openinference-dspy', 'openinference_dspy', 'openinference-dspy'),
  python('openinference-haystack', 'openinference_haystack', 'openinference-haystack'),
  python('openinference-groq', 'openinference_chat_clients', 'openinference-groq-mistral', {
    PROVIDER: 'groq',
  }),
  python('openinference-mistral', 'openinference_chat_clients', 'openinference-groq-mistral', {
    PROVIDER: 'mistral',
  }),
  python('agno', 'agno_agent', 'agno'),
  python('agno-anthropic', 'agno_agent', 'agno', { ...anthropic, ...quietAnthropic }),
  python('openllmetry-openai-agents', 'openllmetry_openai_agents', 'openai-agents-openllmetry'),
  python('agent-framework', 'agent_framework_agent', 'agent-framework'),
  python('claude-agent-sdk', 'claude_agent', 'claude-agent', {
    OTEL_RESOURCE_ATTRIBUTES: 'os.version=0',
  }),
  python('strands', 'strands_agent', 'strands'),
  python('strands-anthropic', 'strands_agent', 'strands-anthropic', {
    ...anthropic,
    ...quietAnthropic,
  }),
  python('strands-latest', 'strands_agent', 'strands', latestGenAi),
  python('google-adk', 'google_adk_agent', 'google-adk', contentOnSpans),
  python('google-adk-1', 'google_adk_agent', 'google-adk', {
    ADK_TELEMETRY_SCHEMA_VERSION_OPT_IN: '1',
  }),
  python('litellm', 'litellm_completion', 'litellm'),
  python('litellm-anthropic', 'litellm_completion', 'litellm-anthropic', anthropic),
  python('semantic-kernel', 'semantic_kernel_chat', 'semantic-kernel'),
  python('semantic-kernel-logs', 'semantic_kernel_logs', 'semantic-kernel'),
  python('mcp-python', 'mcp_tool', 'mcp'),
  javascript('openllmetry-javascript', 'openllmetry-openai'),
  javascript('openllmetry-mcp', 'openllmetry-mcp'),
  javascript('langfuse-javascript', 'langfuse-openai'),
  javascript('openinference-langchain', 'openinference-langchain'),
  aiSdk(5, 'openai'),
  aiSdk(5, 'openai-chat'),
  aiSdk(5, 'anthropic'),
  aiSdk(6, 'openai'),
  aiSdk(6, 'openai-chat'),
  aiSdk(6, 'anthropic'),
  javascript('anthropic-sdk-javascript', 'anthropic'),
  javascript('openllmetry-anthropic-javascript', 'anthropic', {
    ...openLLMetryAnthropic,
    ...quietAnthropic,
  }),
  javascript('openllmetry-anthropic-javascript-siblings', 'anthropic', openLLMetryAnthropic),
  javascript('openinference-anthropic-javascript', 'anthropic', {
    INSTRUMENTATION: 'openinference',
    ...quietAnthropic,
  }),
  javascript('openinference-anthropic-javascript-siblings', 'anthropic', {
    INSTRUMENTATION: 'openinference',
  }),
  langChain('openllmetry-langchain', 'openllmetry', 'openai'),
  langChain('openllmetry-langchain-anthropic', 'openllmetry', 'anthropic'),
  langChain('openinference-langchain-javascript', 'openinference', 'openai'),
  langChain('openinference-langchain-anthropic-javascript', 'openinference', 'anthropic'),
  langChain('langfuse-langchain-javascript', 'langfuse', 'openai'),
  langChain('langfuse-langchain-anthropic-javascript', 'langfuse', 'anthropic'),
  javascript('langsmith-openai-javascript', 'langsmith-openai', langSmith),
  javascript('langfuse-settings', 'langfuse-settings'),
  javascript('openinference-openai-agents-javascript', 'openai-agents'),
  javascript('openinference-vercel', 'ai-sdk', {
    AI_SDK: 'ai-sdk-6',
    AI_PROVIDER: 'openai',
    AI_PROCESSOR: 'openinference-vercel-2',
  }),
  javascript('openinference-vercel-anthropic', 'ai-sdk', {
    AI_SDK: 'ai-sdk-6',
    AI_PROVIDER: 'anthropic',
    AI_PROCESSOR: 'openinference-vercel-2',
  }),
  javascript('genkit', 'genkit'),
  javascript('mastra', 'mastra'),
  javascript('claude-code', 'terminal-agent', { AGENT: 'claude' }),
  javascript('codex', 'terminal-agent', { AGENT: 'codex' }),
  javascript('gemini-cli', 'terminal-agent', { AGENT: 'gemini' }),
  javascript('otel-openai-javascript', 'otel-openai'),
  javascript('mastra-0', 'mastra-0/agent'),
  { name: 'spring-ai', language: 'java', script: 'spring-ai' },
  { name: 'otel-openai-java', language: 'java', script: 'openai', env: javaAgent },
  { name: 'genkit-go', language: 'go', script: 'genkit' },
  { name: 'rig', language: 'rust', script: 'rig' },
]
