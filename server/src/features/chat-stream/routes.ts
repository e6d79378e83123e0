import { joinReply, stopReply, streamReply } from '@assay/contract/chat-stream.ts'
import type { Bind } from '../../http/call.ts'
import type { ChatStreamPorts } from './chat-stream-ports.ts'
import { joinReply as join, stopReply as stop, streamReply as stream } from './stream-reply.ts'

export function registerChatStream({ bind, ...ports }: ChatStreamPorts & { bind: Bind }): void {
  bind(streamReply, ({ caller, body, client, signal }) =>
    stream(body, client, { caller, signal }, ports),
  )
  bind(joinReply, ({ caller, params, query, signal }) =>
    join(params.messageId, query, { caller, signal }, ports),
  )
  bind(stopReply, async ({ caller, params }) => ({
    stopped: await stop(params.messageId, caller, ports),
  }))
}
