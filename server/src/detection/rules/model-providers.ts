import { keyNear, type ShapeRule, token } from '../rule.ts'
import { isRandomKey } from '../value-checks.ts'

/*
 * API keys of model providers.
 */

export const modelProviderTokens = [
  token(
    'anthropic_key',
    ['sk-ant-api03-', 'sk-ant-admin01-', 'sk-ant-oat01-', 'sk-ant-'],
    /[\w-]{32,}/,
  ),
  token('openai_key', ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-None-'], /[\w-]{36,}/),
  token('openai_key', ['sk-'], /[A-Za-z0-9]{40,}/),
  token('openrouter_key', ['sk-or-v1-'], /[0-9a-f]{64}/),
  token('google_api_key', ['AIza'], /[\w-]{35}/),
  token('google_api_key', ['AQ.'], /Ab[\w-]{40,}/),
  token('hugging_face_token', ['hf_', 'api_org_'], /[A-Za-z0-9]{30,}/),
  token('groq_key', ['gsk_'], /[A-Za-z0-9]{40,}/),
  token('perplexity_key', ['pplx-'], /[A-Za-z0-9]{40,}/),
  token('replicate_token', ['r8_'], /[A-Za-z0-9]{37,}/),
  token('xai_key', ['xai-'], /[A-Za-z0-9]{60,}/),
  token('bedrock_key', ['ABSK'], /[A-Za-z0-9+/]{100,}={0,2}/),
  token('bedrock_key', ['bedrock-api-key-'], /[A-Za-z0-9+/]{60,}={0,2}/),
  token('fireworks_key', ['fw_'], /[A-Za-z0-9]{22,}/),
  token('langsmith_key', ['lsv2_pt_', 'lsv2_sk_'], /[0-9a-f]{32}_[0-9a-f]{10}/),
  token('langfuse_key', ['sk-lf-'], /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/),
  token('assay_key', ['tk_live_', 'tk_test_'], /[0-9a-f]{48}/, (_, body) => new Set(body).size > 3),
]

export const modelProviderKeys: readonly ShapeRule[] = [
  keyNear('mistral_key', ['mistral'], /[A-Za-z0-9]{32}/, isRandomKey),
  keyNear('cohere_key', ['cohere', 'CO_API_KEY'], /[A-Za-z0-9]{40}/, isRandomKey),
  keyNear('deepseek_key', ['deepseek'], /sk-[0-9a-f]{32}/, isRandomKey),
  keyNear(
    'azure_openai_key',
    ['azure_openai', 'azure openai', 'cognitiveservices'],
    /[0-9a-f]{32}|[A-Za-z0-9]{84}/,
    isRandomKey,
  ),
  keyNear(
    'together_key',
    ['together_api', 'together.ai', 'together ai'],
    /[0-9a-f]{64}/,
    isRandomKey,
  ),
]
