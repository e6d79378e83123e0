import type { AgentCounts } from '../../cost-estimate/agent-counts.ts'
import {
  addCounts,
  type ClassCounts,
  contentClasses,
  noTokens,
} from '../../cost-estimate/content-class.ts'
import { fixedTokens, messageFactor, traitsOf } from '../../cost-estimate/model-traits.ts'
import { toToolText } from '../../cost-estimate/tool-text.ts'
import { textOf } from '../../domain/trace-view/canonical-json.ts'
import type { ModelCall, TraceView, ViewMessage } from '../../domain/trace-view/trace-view.ts'
import { evenly } from './evenly.ts'
import { ratiosMax, type TokenRatio } from './run-facts.ts'

/*
 * Compares the input tokens that providers report with those that an estimate counts for the same messages and tools.
 */

export type CountTokens = (text: string) => ClassCounts

/** Of distinct texts that are counted for a run. Unusual ones take seconds per megabyte. */
const charactersMax = 1_000_000

/** Of calls with all their contents, evenly from the whole run. */
export function readRatios(
  view: TraceView,
  leaves: readonly ModelCall[],
  countTokens: CountTokens,
): TokenRatio[] {
  const hasTools = view.toolCalls.length > 0
  const complete = leaves.filter((call) => isComplete(call, hasTools))
  const count = remembering(countTokens)
  return evenly(complete, ratiosMax).flatMap(({ span, messages, tools }) => {
    const counted = countInput(span.model ?? '', { messages, tools }, count)
    const ratio = counted === undefined ? Number.NaN : (span.tokensIn ?? 0) / counted
    return ratio > 0.1 && ratio < 10 ? [{ model: span.model ?? '', ratio }] : []
  })
}

/** Whether the recorded input is all that the provider counted: text, and definitions of tools if there are any. */
function isComplete({ span, messages, tools }: ModelCall, hasTools: boolean): boolean {
  if (span.model === null || span.model === '' || (span.tokensIn ?? 0) <= 0) return false
  if (hasTools && tools.length === 0) return false
  if (messages.length === 0) return false
  return messages.every(({ parts }) => parts.every(({ is }) => is !== 'media' && is !== 'other'))
}

function countInput(
  model: string,
  { messages, tools }: Pick<ModelCall, 'messages' | 'tools'>,
  count: (text: string) => ClassCounts | undefined,
): number | undefined {
  const traits = traitsOf(model)
  const texts = tools.map(({ name, description, parameters }) =>
    toToolText({
      ...{ kind: 'tool', mode: 'simulated', name, description },
      ...(parameters && { content: JSON.stringify(parameters) }),
    }),
  )
  const isPrompt = ({ role }: ViewMessage) => role === 'system' || role === 'developer'
  const prompt = countAll(messages.filter(isPrompt).flatMap(textsOf), count)
  const others = countAll(messages.filter((one) => !isPrompt(one)).flatMap(textsOf), count)
  const typedTools = countAll(
    texts.map(({ typed }) => typed),
    count,
  )
  const jsonTools = countAll(
    texts.map(({ json }) => json),
    count,
  )
  if (!prompt || !others || !typedTools || !jsonTools) return undefined
  const counts: AgentCounts = { prompt, typedTools, jsonTools, toolCount: tools.length }
  const fixed = fixedTokens(counts, traits)
  const ofMessages = contentClasses.reduce((sum, name) => sum + others[name], 0)
  return fixed.prompt + fixed.tools + traits.requestTokens + ofMessages * messageFactor(traits)
}

/** As they are sent. Reasoning is not sent again. */
function textsOf({ parts }: ViewMessage): string[] {
  return parts.flatMap((part) => {
    if (part.is === 'text') return [part.text]
    if (part.is === 'call') return [part.name, textOf(part.input)]
    return part.is === 'result' ? [textOf(part.output)] : []
  })
}

function countAll(
  texts: readonly string[],
  count: (text: string) => ClassCounts | undefined,
): ClassCounts | undefined {
  const counts = texts.map(count)
  return counts.every((one) => one !== undefined) ? addCounts(...counts) : undefined
}

/** Each call sends the texts of the calls before it again. Undefined once too many were counted. */
function remembering(countTokens: CountTokens): (text: string) => ClassCounts | undefined {
  const known = new Map<string, ClassCounts>()
  let characters = 0
  return (text) => {
    if (text === '') return noTokens
    const found = known.get(text)
    if (found !== undefined) return found
    characters += text.length
    if (characters > charactersMax) return undefined
    const counts = countTokens(text)
    known.set(text, counts)
    return counts
  }
}
