import { createHash } from 'node:crypto'
import { limits } from '@assay/contract/limits.ts'
import {
  buildTraceView,
  type ReadSpan,
  type ViewedTrace,
} from '../../domain/trace-view/build-trace-view.ts'
import type { ModelCall } from '../../domain/trace-view/trace-view.ts'
import { type CountTokens, readRatios } from './count-calls.ts'
import { cutText } from './cut-text.ts'
import {
  countTurns,
  hasMedia,
  lacksCalls,
  leafCalls,
  mostUsedModel,
  readCachedInput,
} from './model-calls.ts'
import { readAnswers } from './read-answers.ts'
import { readTools } from './read-tools.ts'
import { type PromptFacts, promptsMax, type RunFacts } from './run-facts.ts'

/** From the spans of a trace, or its first ones, in the order of the API. */
export function readRun(
  trace: ViewedTrace,
  spans: readonly ReadSpan[],
  countTokens: CountTokens,
): RunFacts {
  const view = buildTraceView(trace, spans)
  const leaves = leafCalls(view, spans)
  return {
    model: mostUsedModel(leaves),
    turns: countTurns(view, leaves),
    toolCalls: view.toolCalls.length,
    isIncomplete: lacksCalls(view, leaves),
    prompts: readPrompts(leaves),
    tools: readTools(view, countTokens),
    answers: readAnswers(view, leaves),
    ratios: readRatios(view, leaves, countTokens),
    cached: readCachedInput(leaves),
    mediaCalls: leaves.filter(hasMedia).length,
  }
}

/** Distinct ones, most calls first. */
function readPrompts(leaves: readonly ModelCall[]): PromptFacts[] {
  const byText = new Map<string, ModelCall[]>()
  for (const call of leaves) {
    const text = systemOf(call)
    if (text === '') continue
    const calls = byText.get(text)
    if (calls === undefined) byText.set(text, [call])
    else calls.push(call)
  }
  return [...byText]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, promptsMax)
    .map(([text, calls]) => ({
      key: createHash('sha256').update(text).digest('base64'),
      ...cutPrompt(text),
      calls: calls.length,
      lastUsedMs: Math.max(...calls.slice(-1000).map(({ span }) => span.startedMs)),
      spanId: calls[0]!.span.spanId,
    }))
}

function systemOf({ messages }: ModelCall): string {
  return messages
    .filter(({ role }) => role === 'system' || role === 'developer')
    .map(({ text }) => text)
    .join('\n')
    .trim()
}

function cutPrompt(text: string): Pick<PromptFacts, 'text' | 'isCut'> {
  const max = limits.systemPromptLength.value
  return { text: cutText(text, max), isCut: text.length > max }
}
