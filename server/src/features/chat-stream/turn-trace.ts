import { shortLength } from '../../chat-content/scan-text.ts'
import type { EndedReply } from '../../chat-replies/reply-turn.ts'
import type { TraceLabels } from '../../domain/span.ts'
import type { EncodedBatch } from '../../storage/telemetry/port/ingest.ts'
import type { ChatStreamPorts } from './chat-stream-ports.ts'
import type { CheckedTurn, StoredTurn } from './store-turn.ts'
import type { TurnRequest } from './turn-request.ts'
import {
  encodeTurnTask,
  type TurnFacts,
  textsOf,
  toTurnSpans,
  withoutProblem,
} from './turn-spans.ts'
import type { TitleCall } from './write-title.ts'

/*
 * Records a turn as a trace in its project: the calls of the reply and of its title. Without credentials and government
 * identifiers, also those that their sender approved.
 */

export interface RecordedTurn {
  readonly request: TurnRequest
  readonly checked: CheckedTurn
  readonly stored: StoredTurn
  readonly startedAt: Date
  readonly ended: EndedReply
  readonly title: TitleCall | undefined
}

type Ports = Pick<
  ChatStreamPorts,
  'telemetry' | 'serviceTraces' | 'ingestWorkers' | 'clock' | 'log'
>

const subject = 'a turn of a conversation'

/** Never rejects. A turn that cannot be recorded is logged, if need be after further attempts in the background. */
export async function recordTurn(turn: RecordedTurn, ports: Ports): Promise<void> {
  const { organizationId, projectId, user } = turn.request.member
  try {
    const labels: TraceLabels = {
      ...{ rootName: 'chat', environment: null, mode: 'live', tags: [] },
      ...{ sessionId: turn.stored.conversationId, userId: user.id },
    }
    const spans = await encodeTurn(turn, ports)
    await ports.serviceTraces.record({
      ...{ subject, organizationId, projectId, requester: [organizationId, user.id] },
      ...{ spans, labels },
    })
  } catch (error) {
    ports.log.error(`${subject} could not be recorded`, error, { projectId })
  }
}

/** Long ones in another thread. Throws Unavailable when too much waits there. */
async function encodeTurn(
  turn: RecordedTurn,
  { telemetry, ingestWorkers, clock }: Ports,
): Promise<EncodedBatch> {
  const facts = toFacts(turn, clock.now())
  const { organizationId, user } = turn.request.member
  const length = textsOf(facts).reduce((sum, text) => sum + text.length, 0)
  if (length <= shortLength) return telemetry.encode(toTurnSpans(facts))
  const load = { requester: [organizationId, user.id], sizeBytes: 2 * length, parts: [] } as const
  return await ingestWorkers.run(encodeTurnTask, facts, load)
}

function toFacts(turn: RecordedTurn, endedAt: Date): TurnFacts {
  const { request, checked, stored, startedAt, ended, title } = turn
  const { model, provider } = checked.found.model
  const isSealed = checked.mailbox !== undefined
  const { system, messages } = isSealed ? { system: '', messages: [] } : checked.context
  return {
    ...{ traceId: stored.reply.trace_id ?? '', messageId: stored.reply.id, model, provider },
    ...{ conversationId: stored.conversationId, userId: request.member.user.id },
    ...{ system, messages, title, isSealed, startedAt, endedAt },
    ended: isSealed ? { ...withoutProblem(ended), content: '', reasoning: '' } : ended,
  }
}
