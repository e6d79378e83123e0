import type { ChatFinding } from '@assay/contract/chat-scan.ts'
import { detect } from '../detection/detect.ts'
import type { IngestWorkers } from '../ingest-workers/ingest-workers.ts'
import type { Work } from '../ingest-workers/messages.ts'
import type { Requester } from '../platform/requester.ts'

/*
 * Scans what people write or attach in the chat product.
 */

export interface TextScan {
  /** Whether a message with the text is held back. */
  readonly blocked: boolean
  /** A JSON list of `ChatFinding`. There can be thousands. */
  readonly findings: string
}

/** Up to this length, the slowest text takes a few milliseconds, and ordinary text less than one. */
const shortLength = 8 * 1024

/** Long texts are scanned in another thread. Throws Unavailable when too much waits. */
export async function scanText(
  text: string,
  requester: Requester,
  ingestWorkers: IngestWorkers,
): Promise<TextScan> {
  if (text.length <= shortLength) return scan(text)
  const load = { requester, sizeBytes: 2 * text.length, parts: [] }
  return await ingestWorkers.run(scanTextTask, text, load)
}

export const scanTextTask: Work<string, TextScan> = { name: 'scan a text for the chat product' }

/** The side of the thread. */
export function scan(text: string): TextScan {
  const findings = detect(text)
  return {
    blocked: findings.some(({ blocks }) => blocks),
    findings: JSON.stringify(findings.map(({ blocks: _, ...finding }): ChatFinding => finding)),
  }
}
