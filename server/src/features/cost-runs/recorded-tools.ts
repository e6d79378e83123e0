import { limits } from '@assay/contract/limits.ts'
import { toolName } from '../../domain/tool-calls.ts'
import { type RecordedTools, toCallKey } from '../../simulation/simulated-tools.ts'
import type { ReadOptions } from '../../storage/telemetry/port/read-options.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'

/*
 * What tools returned in the newest recorded runs of a project: simulated tools return the same for the same arguments,
 * and otherwise fail as often, with results as long.
 */

interface RecordedCall {
  readonly name?: unknown
  readonly status?: unknown
  readonly input?: unknown
  readonly output?: unknown
}

interface Behavior {
  calls: number
  errors: number
  readonly lengths: number[]
}

const spansPerTrace = 200
/** Parsing takes some milliseconds for each megabyte. */
const bytesMax = 8 * 1024 * 1024

/** Of tools with these names. The newest answer of a call counts. */
export async function readRecordedTools(
  projectId: string,
  toolNames: ReadonlySet<string>,
  telemetry: TelemetryStore,
  options: ReadOptions,
): Promise<RecordedTools> {
  const answers = new Map<string, string>()
  const behavior = new Map<string, Behavior>()
  if (toolNames.size === 0) return { answers, behavior }
  const filters = { mode: 'live', kind: 'tool' } as const
  const limit = limits.recordedAnswerTraces.value
  const query = { limit, filters, scanLimit: limits.tracesScanned.value }
  const { traces } = await telemetry.listTraces(projectId, query, options)
  let bytes = 0
  for (const { traceId } of traces) {
    const page = { limit: spansPerTrace }
    const { json } = await telemetry.readToolCalls(projectId, traceId, page, options)
    bytes += json.byteLength
    if (bytes > bytesMax) break
    for (const call of JSON.parse(Buffer.from(json).toString()) as RecordedCall[]) {
      const name = typeof call.name === 'string' ? nameIn(call.name, toolNames) : undefined
      if (name === undefined) continue
      const text = toText(call.output)
      const ofTool = behavior.get(name) ?? { calls: 0, errors: 0, lengths: [] }
      behavior.set(name, ofTool)
      const isError = call.status === 'ERROR'
      addCall(ofTool, isError, text)
      if (isError || text === '') continue
      const key = toCallKey(name, toObject(call.input))
      if (!answers.has(key)) answers.set(key, text)
    }
  }
  return { answers, behavior }
}

/** Spans are named after the tool, or after the operation and the tool: `execute_tool get_order`. */
function nameIn(spanName: string, toolNames: ReadonlySet<string>): string | undefined {
  return [spanName, toolName(spanName)].find((name) => toolNames.has(name))
}

function toText(output: unknown): string {
  if (typeof output === 'string') return output
  return output === undefined || output === null ? '' : JSON.stringify(output)
}

function addCall(behavior: Behavior, isError: boolean, { length }: string): void {
  behavior.calls += 1
  if (isError) behavior.errors += 1
  else if (length > 0) behavior.lengths.push(length)
}

/** Some senders record arguments as text. */
function toObject(input: unknown): unknown {
  if (typeof input !== 'string') return input
  try {
    return JSON.parse(input)
  } catch {
    return input
  }
}
