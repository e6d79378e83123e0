import { parsed } from '@assay/contract/message-parts.ts'
import type { TraceView, ViewSpan } from '../../domain/trace-view/trace-view.ts'

/*
 * Paths into a trace, for assertions: `output`, `tool_calls[0].input.city`, `spans[*].attributes["gen_ai.tool.name"]`.
 */

export interface Selected {
  readonly value: unknown
  /** The span that contains the value; undefined for totals of the trace. */
  readonly span: ViewSpan | undefined
}

/** Selects all members or items. */
const every = Symbol('every')

export type Serialize = (value: unknown) => string

/** Characters and values left to read, for all assertions of a trace together; a pattern reads each once per instruction. */
export interface Work {
  remaining: number
  /** Of the objects and lists that were read. */
  readonly texts: Map<Serialize, Map<unknown, string>>
}

type Step = string | number | typeof every

export interface Path {
  readonly root: string
  readonly steps: readonly Step[]
  /** Whether it can select several values. */
  readonly isPattern: boolean
}

const lengthMax = 500
const selectedMax = 10_000

/** A text that is the reason when it is no path. */
export function parsePath(text: unknown): Path | string {
  if (typeof text !== 'string' || text.trim() === '') return '`path` must be a text'
  if (text.length > lengthMax) return `\`path\` is longer than ${lengthMax} characters`
  const steps: Step[] = []
  const step = /\.?(?:([^.[\]\s"']+)|\[(\*|-?\d+)\]|\["([^"\]]*)"\]|\['([^'\]]*)'\])/y
  while (step.lastIndex < text.length) {
    const at = step.lastIndex
    const [, name, index, ...quoted] = step.exec(text) ?? []
    const member = name ?? quoted.find((one) => one !== undefined)
    if (index !== undefined) steps.push(index === '*' ? every : Number(index))
    else if (member !== undefined) steps.push(name === '*' ? every : member)
    else return `\`path\` cannot be read from "${text.slice(at, at + 20)}"`
  }
  const [root, ...rest] = steps
  if (typeof root !== 'string' || !roots.has(root)) {
    return `\`path\` must begin with one of ${[...roots.keys()].join(', ')}`
  }
  return { root, steps: rest, isPattern: rest.includes(every) }
}

/** Empty if the trace has no such value. */
export type Select = (path: Path) => readonly Selected[]

/** Reads each part of the trace once. */
export function createSelect(trace: TraceView, work: Work): Select {
  const read = new Map<string, Node>()
  return ({ root, steps }) => {
    const start = read.get(root) ?? roots.get(root)!(trace)
    read.set(root, start)
    let selected = [start]
    for (const step of steps) {
      selected = selected.flatMap((one) => descend(one, step, work)).slice(0, selectedMax)
    }
    return selected
      .filter(({ value }) => value !== undefined)
      .map(({ value, span }) => ({ value, span }))
  }
}

/** A list whose items are in different spans. */
interface Node extends Selected {
  readonly members?: readonly Selected[]
}

function descend({ value, span, members }: Node, step: Step, work: Work): Node[] {
  if (work.remaining < 0) return []
  work.remaining -= 1 + (typeof value === 'string' ? value.length : 0)
  if (members !== undefined) {
    if (step === every) {
      work.remaining -= members.length
      return members.slice(0, selectedMax)
    }
    const member = members.at(Number(step))
    return member === undefined ? [] : [member]
  }
  // Arguments, results and answers may be JSON text.
  const inner = parsed(value)
  if (typeof inner !== 'object' || inner === null) return []
  if (step === every) {
    const values: unknown[] = Array.isArray(inner) ? inner : Object.values(inner)
    work.remaining -= values.length
    return values.slice(0, selectedMax).map((one) => ({ value: one, span }))
  }
  if (Array.isArray(inner)) return [{ value: (inner as unknown[]).at(Number(step)), span }]
  const name = String(step)
  return Object.hasOwn(inner, name)
    ? [{ value: (inner as Record<string, unknown>)[name], span }]
    : []
}

function list(members: readonly Selected[]): Node {
  return { value: members.map(({ value }) => value), span: undefined, members }
}

function total(value: unknown): Node {
  return { value: value ?? undefined, span: undefined }
}

function textIn(trace: TraceView, of: 'input' | 'output' | 'system'): Node {
  const found = trace[of]
  return { value: found?.text, span: trace.spans.find(({ spanId }) => spanId === found?.spanId) }
}

const roots: ReadonlyMap<string, (trace: TraceView) => Node> = new Map<
  string,
  (trace: TraceView) => Node
>([
  ['input', (trace) => textIn(trace, 'input')],
  ['output', (trace) => textIn(trace, 'output')],
  ['system', (trace) => textIn(trace, 'system')],
  ['status', ({ status }) => total(status)],
  ['tags', ({ tags }) => total(tags)],
  ['duration_ms', ({ durationMs }) => total(durationMs)],
  ['tokens_in', ({ tokensIn }) => total(tokensIn)],
  ['tokens_out', ({ tokensOut }) => total(tokensOut)],
  ['cost_usd', ({ costUsd }) => total(costUsd)],
  ['messages', listMessages],
  ['model_calls', listModelCalls],
  ['tool_calls', listToolCalls],
  ['retrieved', listRetrieved],
  ['memory', listMemory],
  ['errors', listErrors],
  ['spans', listSpans],
])

function listMessages({ messages, spans }: TraceView): Node {
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  return list(
    messages.map(({ role, text, spanId }) => ({ value: { role, text }, span: byId.get(spanId) })),
  )
}

function listModelCalls({ modelCalls }: TraceView): Node {
  return list(
    modelCalls.map(({ span, text, finishReasons }) => ({
      value: {
        ...{ model: span.model, text, finish_reasons: finishReasons },
        ...{ tokens_in: span.tokensIn, tokens_out: span.tokensOut },
      },
      span,
    })),
  )
}

function listToolCalls({ toolCalls }: TraceView): Node {
  return list(
    toolCalls.map(({ span, name, input, output, error }) => ({
      value: { name, input, output, error },
      span,
    })),
  )
}

function listRetrieved({ retrievals }: TraceView): Node {
  return list(
    retrievals.flatMap(({ span, items }) =>
      items.map(({ id, text, rank }) => ({ value: { id, text, rank }, span })),
    ),
  )
}

function listMemory({ memoryOperations }: TraceView): Node {
  return list(
    memoryOperations.map(({ span, operation, key, value }) => ({
      value: { operation, key, value },
      span,
    })),
  )
}

function listErrors({ errors }: TraceView): Node {
  return list(errors.map(({ span, message }) => ({ value: { name: span.name, message }, span })))
}

function listSpans({ spans }: TraceView): Node {
  return list(
    spans.map((span) => ({
      value: {
        ...{ name: span.name, kind: span.kind, status: span.status, model: span.model },
        ...{ duration_ms: span.endedMs - span.startedMs, input: span.input },
        ...{ output: span.output, attributes: span.attributes },
      },
      span,
    })),
  )
}
