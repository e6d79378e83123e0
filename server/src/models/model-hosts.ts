/*
 * Resolves the provider name that a sender uses, as an attribute or as a prefix of the model name.
 */

export type Host =
  /** Bills by its own rows of the price list. */
  | { readonly kind: 'listed'; readonly provider: string }
  /** Passes calls on, or is no provider at all: whose price counts is for the model's name to say. */
  | { readonly kind: 'passing' }
  /** Serves local models. */
  | { readonly kind: 'local' }
  /** Bills by prices that the list does not have. */
  | { readonly kind: 'unlisted' }

// By the ids of the price list. Names compare case-insensitively, with `_`, `.` and spaces read as `-`.
const listedWords: Readonly<Record<string, string>> = {
  anthropic: 'anthropic',
  aws: 'aws aws-bedrock bedrock amazon amazon-bedrock bedrock-converse bedrock-runtime',
  azure:
    'azure azure-openai azureopenai azure-ai azure-ai-openai azure-ai-inference az-ai-openai az-ai-inference azure-ai-foundry azure-foundry azure-text',
  baseten: 'baseten',
  cerebras: 'cerebras',
  cloudflare: 'cloudflare workers-ai cloudflare-workers-ai',
  cohere: 'cohere cohere-chat',
  cursor: 'cursor',
  deepseek: 'deepseek',
  fireworks: 'fireworks fireworks-ai fireworksai',
  'github-copilot': 'github-copilot copilot',
  google:
    'google gcp gcp-gemini gcp-gen-ai gcp-vertex-ai gemini vertex vertexai vertex-ai vertex-ai-beta google-vertex google-vertexai google-vertex-ai google-vertex-anthropic google-genai google-gla google-gemini google-ai google-ai-studio google-generative-ai',
  groq: 'groq',
  minimax: 'minimax',
  mistral: 'mistral mistralai mistral-ai',
  moonshotai: 'moonshotai moonshot moonshot-ai',
  novita: 'novita novita-ai',
  openai: 'openai text-completion-openai openai-codex codex',
  openrouter: 'openrouter open-router',
  ovhcloud: 'ovhcloud',
  perplexity: 'perplexity perplexity-ai',
  together: 'together togetherai together-ai',
  voyageai: 'voyageai voyage voyage-ai',
  'x-ai': 'x-ai xai',
  zai: 'zai z-ai',
  zhipuai: 'zhipuai zhipu',
}

const passingWords =
  'ai ai-gateway agno autogen braintrust cloudflare-ai-gateway crewai custom dspy gateway gcp-vertex-agent google-adk haystack helicone instructor langchain langgraph litellm litellm-proxy llamaindex llama-index mastra openlit other portkey pydantic-ai semantic-kernel smolagents spring-ai strands strands-agents unknown vercel vercel-ai-gateway'

const localWords =
  'ctransformers docker-model-runner foundry-local gpt4all hosted-vllm huggingface-local jan koboldcpp llama-cpp llama-cpp-python llamacpp llamafile lm-studio lmstudio local localai local-ai localhost mlx ollama ollama-chat oobabooga sglang text-generation-inference tgi transformers vllm xinference'

const unlistedWords =
  'aleph-alpha alibaba ai21 anyscale bytedance dashscope databricks deepgram deepinfra elevenlabs featherless friendli friendliai github github-models groq-cloud huggingface hyperbolic ibm-watsonx-ai watsonx inflection jina lambda lambda-ai lepton modal nebius nlp-cloud nscale nvidia nvidia-nim oci octoai openai-compatible predibase replicate runpod sagemaker sagemaker-chat sambanova siliconflow snowflake tencent volcengine wandb writer'

const hosts: ReadonlyMap<string, Host> = new Map<string, Host>([
  ...Object.entries(listedWords).flatMap(([provider, words]) =>
    named(words, { kind: 'listed', provider }),
  ),
  ...named(passingWords, { kind: 'passing' }),
  ...named(localWords, { kind: 'local' }),
  ...named(unlistedWords, { kind: 'unlisted' }),
])

function named(words: string, host: Host): [string, Host][] {
  return words.split(' ').map((word) => [word, host])
}

/** Undefined for an unknown name. */
export function findHost(word: string): Host | undefined {
  let rest = word
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_.]+/g, '-')
    .replace(/^-/, '')
  for (;;) {
    const host = hosts.get(rest)
    if (host !== undefined) return host
    const shorter = rest.replace(endpointSuffix, '')
    if (shorter === rest) return undefined
    rest = shorter
  }
}

// The AI SDK appends the API to the provider: `openai.responses`, `google.vertex.chat`.
const endpointSuffix =
  /-(?:chat|completions?|responses|messages|embeddings?|text|image|converse|anthropic)$/
