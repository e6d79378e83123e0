import { observeOpenAI } from '@langfuse/openai'
import { LangfuseSpanProcessor } from '@langfuse/otel'
import OpenAI from 'openai'
import { askOpenAI, modelUrl, tracerProvider } from './conversation.mjs'

/*
 * Langfuse with only its own variables: base URL and keys.
 */

const provider = tracerProvider([new LangfuseSpanProcessor({ flushAt: 1000, flushInterval: 600 })])
await askOpenAI(observeOpenAI(new OpenAI({ baseURL: modelUrl, apiKey: 'none', maxRetries: 0 })))
await provider.shutdown()
