import { firstText, type Keys, unquoted } from './attribute-reading.ts'
import type { Attributes } from './decoded-span.ts'

/*
 * Whose a span is and where it ran. One table for all conventions, because any of them may stand beside keys
 * of OpenTelemetry at large, which count first.
 */

export const identityKeys = {
  sessionId: [
    'session.id',
    'langfuse.session.id',
    'traceloop.association.properties.session_id',
    'ai.telemetry.metadata.sessionId',
    'mlflow.trace.session',
    'gcp.vertex.agent.session_id',
    'langsmith.metadata.session_id',
    'gen_ai.conversation.id',
    'langsmith.metadata.conversation_id',
    'langsmith.metadata.thread_id',
    'traceloop.association.properties.thread_id',
    'ai.telemetry.metadata.threadId',
    'conversation.id',
  ],
  userId: [
    'user.id',
    'langfuse.user.id',
    'enduser.id',
    'traceloop.association.properties.user_id',
    'ai.telemetry.metadata.userId',
    'langsmith.metadata.user_id',
    'gen_ai.request.user',
    'gen_ai.user',
    'llm.user',
    'mlflow.trace.user',
  ],
  environment: ['langfuse.environment', 'deployment.environment.name', 'deployment.environment'],
  service: ['service.name'],
  sdk: ['telemetry.sdk.name', 'telemetry.sdk.language', 'telemetry.sdk.version'],
} as const

/** As text; without the quotes of those who write every attribute as JSON. */
export function identified(attributes: Attributes, keys: Keys): string | undefined {
  const text = firstText(attributes, keys)
  return text === undefined ? undefined : unquoted(text)
}
