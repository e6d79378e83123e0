import { maskBlocking } from '../detection/mask-findings.ts'
import type { IngestWorkers } from '../ingest-workers/ingest-workers.ts'
import type { Work } from '../ingest-workers/messages.ts'
import type { Requester } from '../platform/requester.ts'
import { shortLength } from './scan-text.ts'

/*
 * Masks what may not leave a conversation, for its trace: also a value that was approved for the model.
 */

/**
 * The texts without credentials and government identifiers. A value that is found in one of them is masked in all. Throws
 * Unavailable when too much waits.
 */
export async function maskTexts(
  texts: readonly string[],
  requester: Requester,
  ingestWorkers: IngestWorkers,
): Promise<readonly string[]> {
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  // Each round of masking takes as long as a scan.
  if (length <= shortLength / 2) return maskBlocking(texts)
  return await ingestWorkers.run(maskTextsTask, texts, {
    requester,
    sizeBytes: 2 * length,
    parts: [],
  })
}

/** The name of a file without them. */
export function maskName(name: string): string {
  return maskBlocking([name])[0] ?? ''
}

export const maskTextsTask: Work<readonly string[], readonly string[]> = {
  name: 'mask the texts of a turn of the chat product',
}
