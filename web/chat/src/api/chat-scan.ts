import { base } from '@assay/account/api/base.ts'
import { scanMessage } from '@assay/contract/chat-scan.ts'
import { call } from '@assay/contract/client.ts'

/** Finds what would hold a message back. */
export function scanText(text: string, signal: AbortSignal) {
  return call(base, scanMessage, { body: { text } }, { signal })
}
