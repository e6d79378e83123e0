import { expect, test } from 'vitest'
import { findSuggestedPrompt } from './suggested-prompt.ts'

const recorded = (text: string, runs: number) => ({
  ...{ text, runs, isCut: false, calls: runs, traceId: 't', spanId: 's' },
  lastUsedAt: '2026-11-01T10:00:00.000Z',
})
const suggestion = { system_prompt: 'of most runs', tone: '', memory: '', tools: [] }

test('the suggested prompt is chosen first, although another one is newer', () => {
  const systemPrompts = [recorded('newest', 1), recorded('of most runs', 9)]
  expect(findSuggestedPrompt({ systemPrompts, suggestion })).toBe(1)
  expect(findSuggestedPrompt({ systemPrompts: [], suggestion })).toBe(0)
})
