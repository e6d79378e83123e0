import { joinReply, stopReply, streamReply } from '@assay/contract/chat-stream.ts'
import type { Bind } from '../../http/call.ts'
import type { ChatStreamPorts, GivenChatStreamPorts } from './chat-stream-ports.ts'
import { joinReply as join, stopReply as stop, streamReply as stream } from './stream-reply.ts'
import { openTurnTraces, type TurnTraces } from './turn-traces.ts'

/** Returns what stores the traces of turns, which ends with the service. */
export function registerChatStream({
  bind,
  ...given
}: GivenChatStreamPorts & { bind: Bind }): Pick<TurnTraces, 'stop'> {
  const turnTraces = openTurnTraces(given)
  const ports: ChatStreamPorts = { ...given, turnTraces }
  bind(streamReply, ({ caller, body, client, signal }) =>
    stream(body, client, { caller, signal }, ports),
  )
  bind(joinReply, ({ caller, params, query, signal }) =>
    join(params.messageId, query, { caller, signal }, ports),
  )
  bind(stopReply, async ({ caller, params }) => ({
    stopped: await stop(params.messageId, caller, ports),
  }))
  return turnTraces
}
