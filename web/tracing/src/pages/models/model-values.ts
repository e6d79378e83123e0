import {
  type ModelConfig,
  type ModelProvider,
  requiresBaseUrl,
} from '@assay/contract/model-configs.ts'
import type { ModelConfigBody } from '../../api/model-configs.ts'
import { parseNumber } from '../../form/parse-number.ts'

/*
 * A model configuration in a form, with its fields as text. The contract validates the result.
 */

export const providerLabels: Readonly<Record<ModelProvider, string>> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google Gemini',
  azure: 'Azure OpenAI',
  bedrock: 'Amazon Bedrock',
  mistral: 'Mistral',
  'openai-compatible': 'OpenAI-compatible',
}

const prices = ['input_usd_per_mtok', 'output_usd_per_mtok', 'cache_read_usd_per_mtok'] as const

export interface ModelValues extends Readonly<Record<(typeof prices)[number], string>> {
  readonly label: string
  readonly provider: ModelProvider
  readonly model: string
  readonly base_url: string
  /** Empty keeps the stored key. */
  readonly api_key: string
}

export function toModelValues(config: ModelConfig | null): ModelValues {
  const text = (name: (typeof prices)[number]) => String(config?.[name] ?? '')
  return {
    label: config?.label ?? '',
    provider: config?.provider ?? 'openai',
    model: config?.model ?? '',
    base_url: config?.base_url ?? '',
    api_key: '',
    input_usd_per_mtok: text('input_usd_per_mtok'),
    output_usd_per_mtok: text('output_usd_per_mtok'),
    cache_read_usd_per_mtok: text('cache_read_usd_per_mtok'),
  }
}

/** The model is the default of the label; a missing model has an error of its own. Empty fields become null, so that a change removes them. */
export function toModelBody(values: ModelValues): ModelConfigBody {
  const { provider } = values
  const [model, key] = [values.model.trim(), values.api_key.trim()]
  return {
    ...{ label: values.label.trim() || model || provider, provider, model },
    base_url: values.base_url.trim() || null,
    ...(key === '' ? {} : { api_key: key }),
    input_usd_per_mtok: parseNumber(values.input_usd_per_mtok),
    output_usd_per_mtok: parseNumber(values.output_usd_per_mtok),
    cache_read_usd_per_mtok: parseNumber(values.cache_read_usd_per_mtok),
  }
}

/** Whether the service keeps the stored key: it is only sent to the address that it was entered for. */
export function keepsKey(values: ModelValues, config: ModelConfig | null): boolean {
  if (config === null || !config.has_api_key) return false
  const address = values.base_url.trim().replace(/\/+$/, '')
  return config.provider === values.provider && (config.base_url ?? '') === address
}

/** What the address of a provider looks like. */
export function baseUrlHint(provider: ModelProvider): {
  readonly placeholder: string
  readonly description: string
} {
  const placeholder = addressExamples[provider]
  if (provider === 'openai-compatible') {
    return { placeholder, description: 'As for other OpenAI clients; it usually ends in /v1' }
  }
  const isRequired = requiresBaseUrl(provider)
  return {
    placeholder,
    description: isRequired ? 'Of your own resource' : "Optional (defaults to the provider's API)",
  }
}

const addressExamples: Readonly<Record<ModelProvider, string>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  azure: 'https://my-resource.openai.azure.com',
  bedrock: 'https://bedrock-runtime.us-east-1.amazonaws.com',
  mistral: 'https://api.mistral.ai/v1',
  'openai-compatible': 'http://localhost:11434/v1',
}
