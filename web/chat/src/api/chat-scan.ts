import { base } from '@assay/account/api/base.ts'
import { scanMessage } from '@assay/contract/chat-scan.ts'
import { call } from '@assay/contract/client.ts'

/** Finds what would hold a message back. */
export function scanText(text: string, attachmentIds: readonly string[], signal: AbortSignal) {
  const body = { text, attachment_ids: [...attachmentIds] }
  return call(base, scanMessage, { body }, { signal })
}
