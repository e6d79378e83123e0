import { addAttachment } from '@assay/contract/chat-attachments.ts'
import { type Bind, ReadyJson } from '../../http/call.ts'
import { type AddAttachmentPorts, addAttachment as add } from './add-attachment.ts'

export interface ChatAttachmentPorts extends AddAttachmentPorts {
  readonly bind: Bind
}

export function registerChatAttachments({ bind, ...ports }: ChatAttachmentPorts): void {
  bind(addAttachment, async ({ caller, body, query, readOptions: { requester }, signal }) => {
    const by = { userId: caller.user.id, requester, signal }
    const isStored = query.store === 'true'
    const { findings, ...attachment } = await add(body, isStored, by, ports)
    return new ReadyJson(JSON.stringify(attachment).slice(0, -1), ',"findings":', findings, '}')
  })
}
