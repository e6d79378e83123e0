import { textOf } from '../../domain/trace-view/canonical-json.ts'
import type { SpanText, ToolCall, TraceView } from '../../domain/trace-view/trace-view.ts'
import { toBlock } from './blocks.ts'
import { cutMiddle } from './fenced-data.ts'
import type { Block, Segment } from './judge.ts'
import { traceSegments } from './trace-segments.ts'

/*
 * The parts of a trace that judges read, as blocks of bounded size.
 */

/** About 10,000 tokens. */
const textLengthMax = 40_000
/** About 30,000 tokens. */
const materialLengthMax = 120_000

export function questionBlock({ input }: TraceView): Block {
  return toBlock('question', input === undefined ? [] : [input], textLengthMax)
}

export function answerBlock(answer: SpanText): Block {
  return toBlock('answer', [answer], textLengthMax)
}

/** None for a trace without a system prompt. */
export function systemBlocks({ system }: TraceView): readonly Block[] {
  return system === undefined ? [] : [toBlock('system-prompt', [system], textLengthMax)]
}

/** Everything that happened, condensed. */
export function runBlock(trace: TraceView): Block {
  return toBlock('run', traceSegments(trace), materialLengthMax + textLengthMax)
}

/** What users and assistants said, in order. */
export function conversationBlock({ messages }: TraceView): Block {
  const said = messages.filter(({ role, text }) => isSaid(role) && text.trim() !== '')
  const segments = said.map(({ role, spanId, text }) => ({ spanId, text, title: `${role}:` }))
  return toBlock('conversation', segments, materialLengthMax)
}

function isSaid(role: string): boolean {
  return role === 'user' || role === 'assistant'
}

const callLengthMax = 8000

/** Arguments and results. */
export function callsBlock(name: string, calls: readonly ToolCall[]): Block {
  return toBlock(name, calls.flatMap(callSegments), materialLengthMax)
}

function callSegments({ name, span: { spanId }, input, output, error }: ToolCall): Segment[] {
  const result = error ?? textOf(output)
  return [
    { spanId, title: `call of ${name}, arguments:`, text: cutMiddle(textOf(input), callLengthMax) },
    ...(error === undefined && output === undefined
      ? []
      : [
          {
            spanId,
            title: error === undefined ? `result of ${name}:` : `error of ${name}:`,
            text: cutMiddle(result, callLengthMax),
          },
        ]),
  ]
}

/** Names, descriptions and parameters. */
export function definitionsBlock({ toolDefinitions }: TraceView): Block {
  const segments = toolDefinitions.map(({ spanId, name, description, parameters }) => ({
    ...{ spanId, title: `tool ${name}:` },
    text: cutMiddle(`${description}\n${textOf(parameters)}`, callLengthMax),
  }))
  return toBlock('tools', segments, materialLengthMax)
}
