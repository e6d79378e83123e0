import { limits } from '@assay/contract/limits.ts'
import { CallLost } from '../platform/deadline-process.ts'
import type { Log } from '../platform/log.ts'
import { type MemberBudget, openMemberBudget } from '../platform/member-budget.ts'
import type { Waiter } from '../platform/requester.ts'
import { openShortCallsFirst } from '../platform/short-calls-first.ts'
import type { DocumentInput, DocumentOutcome, DocumentSettings } from './document.ts'

/*
 * Reads documents in processes of their own, with bounded time and memory: a small file can hold gigabytes.
 */

export interface DocumentReader {
  /** Organizations take turns. Rejects with the reason of the signal when the caller aborts. */
  read(waiter: Waiter, input: DocumentInput): Promise<DocumentOutcome>
  close(): Promise<void>
}

const maxHeapMb = 192
/** Of each process. With the engine for PDF, it takes a third of it before it reads anything. */
const maxResidentMb = 350
/** People add several documents in a row. */
const idleMs = 60_000

/** Of documents that are fetched or read at once, whatever they are for. */
export function openDocumentBudget(): MemberBudget {
  return openMemberBudget({
    total: limits.documents.value,
    ofOrganization: limits.documentsOfOrganization.value,
    ofUser: limits.documentsOfUser.value,
    refusal: 'Too many documents are being read. Try again shortly.',
  })
}

export function openDocumentReader(log: Log): DocumentReader {
  const child = openShortCallsFirst<DocumentSettings, DocumentOutcome>({
    module: new URL('./document-process.ts', import.meta.url),
    deadlineMs: limits.documentSeconds.value * 1000,
    ...{ name: 'document reader', idleMs, maxHeapMb, maxResidentMb, log },
  })
  return {
    async read(waiter, { bytes, ...settings }) {
      try {
        return await child.run(waiter, settings, { buffers: [bytes] })
      } catch (error) {
        const isOfDocument =
          error instanceof CallLost && ['too late', 'out of memory'].includes(error.because)
        if (isOfDocument) return { problem: 'unreadable' }
        throw error
      }
    },
    close: () => child.close(),
  }
}
