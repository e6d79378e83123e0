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

export interface ScannedText {
  readonly text: string
  /** Beyond it, findings are left out, those that do not block first. Default: all are listed. */
  readonly findingsMax?: number
}

/** Up to this length, the slowest text takes a few milliseconds, and ordinary text less than one. */
export const shortLength = 8 * 1024

/** Long texts are scanned in another thread. Throws Unavailable when too much waits. */
export async function scanText(
  scanned: ScannedText,
  requester: Requester,
  ingestWorkers: IngestWorkers,
): Promise<TextScan> {
  if (scanned.text.length <= shortLength) return scan(scanned)
  const load = { requester, sizeBytes: 2 * scanned.text.length, parts: [] }
  return await ingestWorkers.run(scanTextTask, scanned, load)
}

export const scanTextTask: Work<ScannedText, TextScan> = {
  name: 'scan a text for the chat product',
}

/** The side of the thread. */
export function scan({ text, findingsMax = Number.POSITIVE_INFINITY }: ScannedText): TextScan {
  const findings = detect(text)
  const listed =
    findings.length <= findingsMax
      ? findings
      : findings
          .toSorted((a, b) => Number(b.blocks) - Number(a.blocks))
          .slice(0, findingsMax)
          .toSorted((a, b) => a.start - b.start)
  return {
    blocked: findings.some(({ blocks }) => blocks),
    findings: JSON.stringify(listed.map(({ blocks: _, ...finding }): ChatFinding => finding)),
  }
}
