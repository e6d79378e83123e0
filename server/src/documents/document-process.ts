import { serveCalls } from '../platform/deadline-process.ts'
import { runBelowMainThread } from '../platform/thread-priority.ts'
import type { DocumentSettings } from './document.ts'
import { loadPdfEngine } from './pdf-text.ts'
import { readDocument } from './read-document.ts'

/*
 * The entry point of the process that reads documents.
 */

runBelowMainThread()
// Before the first document: the time does not count as that of the document.
await loadPdfEngine()
serveCalls(async (settings: DocumentSettings, [bytes = new Uint8Array()]) =>
  readDocument({ ...settings, bytes }),
)
