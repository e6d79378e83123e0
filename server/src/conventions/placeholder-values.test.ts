import { expect, test } from 'vitest'
import { type AttributeTable, normalized } from '../../test/decoded-span.ts'

/*
 * Values that senders write where they have none.
 */

test.each<[string, AttributeTable]>([
  ['OpenTelemetry GenAI', { 'gen_ai.response.model': 'none', 'gen_ai.request.model': 'm' }],
  ['OpenInference', { 'llm.response.model_name': 'unknown', 'llm.model_name': 'm' }],
  ['the AI SDK', { 'ai.response.model': '', 'ai.model.id': 'm' }],
  [
    'two conventions',
    { 'langfuse.observation.model.name': 'Unknown', 'gen_ai.request.model': 'm' },
  ],
])('a placeholder is no model in %s and hides no other', (_convention, attributes) => {
  expect(normalized(attributes).model).toBe('m')
})

test('a span with nothing but a placeholder has no model', () => {
  expect(normalized({ 'gen_ai.request.model': 'none' }).model).toBeNull()
})
