import { type ChatFinding, scanMessage } from '@assay/contract/chat-scan.ts'
import { scanText } from '../../chat-content/scan-text.ts'
import { type Bind, ReadyJson } from '../../http/call.ts'
import type { IngestWorkers } from '../../ingest-workers/ingest-workers.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import type { ChatAttachmentRow } from '../../storage/accounts/chat-tables.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'

export interface ChatScanPorts {
  readonly bind: Bind
  readonly accounts: AccountStores
  readonly ingestWorkers: IngestWorkers
  readonly clock: Clock
}

export function registerChatScan({ bind, accounts, ingestWorkers, clock }: ChatScanPorts): void {
  bind(scanMessage, async ({ caller, body, readOptions: { requester } }) => {
    const ids = [...new Set(body.attachment_ids)]
    const now = clock.now().toISOString()
    const stored =
      ids.length === 0 ? [] : await accounts.chatAttachments.listNew(caller.user.id, ids, now)
    if (stored.length < ids.length) throw new Failure('NOT_FOUND', 'Attachment not found.')
    const message = await scanText({ text: body.text }, requester, ingestWorkers)
    const blocked = message.blocked || stored.some((one) => one.blocked === 1)
    const lists = [message.findings, ...ids.map((id) => findingsIn(id, stored))]
    const findings = lists.map((list) => list.slice(1, -1)).filter((list) => list !== '')
    return new ReadyJson(`{"blocked":${blocked},"findings":[`, findings.join(), ']}')
  })
}

/** A JSON list. */
function findingsIn(
  id: string,
  stored: readonly Pick<ChatAttachmentRow, 'id' | 'findings'>[],
): string {
  const findings = JSON.parse(
    stored.find((one) => one.id === id)?.findings ?? '[]',
  ) as ChatFinding[]
  return JSON.stringify(findings.map((finding) => ({ ...finding, attachment_id: id })))
}
