import { limits } from '@assay/contract/limits.ts'
import { type RecordedAnswers, toCallKey } from '../../simulation/simulated-tools.ts'
import type { ReadOptions } from '../../storage/telemetry/port/read-options.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'

/*
 * What tools returned in the newest recorded runs of a project: simulated tools return the same for the same arguments.
 */

interface RecordedCall {
  readonly name?: unknown
  readonly input?: unknown
  readonly output?: unknown
}

const spansPerTrace = 200
/** Parsing takes some milliseconds for each megabyte. */
const bytesMax = 8 * 1024 * 1024

/** Of tools with these names. The newest answer of a call counts. */
export async function readRecordedAnswers(
  projectId: string,
  toolNames: ReadonlySet<string>,
  telemetry: TelemetryStore,
  options: ReadOptions,
): Promise<RecordedAnswers> {
  const answers = new Map<string, string>()
  if (toolNames.size === 0) return answers
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
      const { name, input, output } = call
      if (typeof name !== 'string' || !toolNames.has(name)) continue
      const text = typeof output === 'string' ? output : JSON.stringify(output ?? null)
      const key = toCallKey(name, toObject(input))
      if (text !== 'null' && text !== '' && !answers.has(key)) answers.set(key, text)
    }
  }
  return answers
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
