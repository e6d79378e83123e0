import { scanMessage } from '@assay/contract/chat-scan.ts'
import { scanText } from '../../chat-content/scan-text.ts'
import { type Bind, ReadyJson } from '../../http/call.ts'
import type { IngestWorkers } from '../../ingest-workers/ingest-workers.ts'

export interface ChatScanPorts {
  readonly bind: Bind
  readonly ingestWorkers: IngestWorkers
}

export function registerChatScan({ bind, ingestWorkers }: ChatScanPorts): void {
  bind(scanMessage, async ({ body, readOptions: { requester } }) => {
    const { blocked, findings } = await scanText(body.text, requester, ingestWorkers)
    return new ReadyJson(`{"blocked":${blocked},"findings":`, findings, '}')
  })
}
