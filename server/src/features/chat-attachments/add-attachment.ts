import { attachmentExtensions, type ChatAttachment } from '@assay/contract/chat-attachments.ts'
import type { ErrorCode } from '@assay/contract/errors.ts'
import type { UploadedFile } from '@assay/contract/fields.ts'
import { limits } from '@assay/contract/limits.ts'
import { maskName } from '../../chat-content/mask-texts.ts'
import { scanText } from '../../chat-content/scan-text.ts'
import { type DocumentProblem, formatOfName } from '../../documents/document.ts'
import type { DocumentReader } from '../../documents/document-reader.ts'
import type { IngestWorkers } from '../../ingest-workers/ingest-workers.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import { newId } from '../../platform/ids.ts'
import type { MemberBudget } from '../../platform/member-budget.ts'
import type { Requester } from '../../platform/requester.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'

/*
 * The text of an uploaded file, with what the scan of a message finds in it. The file is not stored.
 */

export interface AddAttachmentPorts {
  readonly accounts: Accounts
  readonly ingestWorkers: IngestWorkers
  readonly documentReader: DocumentReader
  readonly documents: MemberBudget
  readonly clock: Clock
}

interface Uploader {
  readonly userId: string
  readonly requester: Requester
  readonly signal: AbortSignal
}

/** `findings` is JSON. */
type Added = Omit<ChatAttachment, 'findings'> & { readonly findings: string }

export async function addAttachment(
  file: UploadedFile,
  isStored: boolean,
  by: Uploader,
  ports: AddAttachmentPorts,
): Promise<Added> {
  const release = ports.documents.take(by.requester)
  try {
    const size = file.bytes.byteLength
    const content = await readContent(file, by, ports)
    const scanned = { text: content.text, findingsMax: limits.attachmentFindings.value }
    const { blocked, findings } = await scanText(scanned, by.requester, ports.ingestWorkers)
    const added = { id: newId(), size, ...content, findings }
    if (isStored) await store(added, blocked, by.userId, ports)
    return added
  } finally {
    release()
  }
}

async function readContent(
  { name, bytes }: UploadedFile,
  { requester: [owner], signal }: Uploader,
  { documentReader }: AddAttachmentPorts,
) {
  const extension = attachmentExtensions.find((one) => name.toLowerCase().endsWith(`.${one}`))
  const format = formatOfName(name)
  if (extension === undefined || format === undefined) throw unusable('unsupported')
  if (bytes.byteLength > limits.attachmentBytes.value) throw unusable('too_large')
  if (bytes.byteLength === 0) throw unusable('empty')
  const settings = { format, maxChars: limits.attachmentTextLength.value }
  const outcome = await documentReader.read({ owner, signal }, { bytes, ...settings })
  if ('problem' in outcome) throw unusable(outcome.problem)
  const { truncated, pages } = outcome
  // PostgreSQL does not store zeros, which PDF and Word files can have.
  const text = outcome.text.replaceAll('\u0000', '')
  const notes = outcome.notes.slice(0, limits.attachmentNotes.value)
  // It is sent with the text, and no finding refers to it.
  return { name: maskName(name), extension, chars: text.length, text, truncated, pages, notes }
}

const problems: Readonly<Record<DocumentProblem, readonly [code: ErrorCode, message: string]>> = {
  unsupported: [
    'UNSUPPORTED_TYPE',
    `Files of this type are not supported. Use .${attachmentExtensions.join(', .')}.`,
  ],
  too_large: ['TOO_LARGE', 'The file is larger than 10 MiB.'],
  empty: ['EMPTY', 'The file has no text. If its pages are scans, use a version with text.'],
  encrypted: ['ENCRYPTED', 'The file is protected by a password. Save it without one.'],
  unreadable: [
    'UNREADABLE',
    'The file cannot be read. It is damaged, or not of the type of its extension.',
  ],
}

function unusable(problem: DocumentProblem): Failure {
  return new Failure(...problems[problem])
}

async function store(
  { truncated, pages, notes, ...added }: Added,
  blocked: boolean,
  userId: string,
  { accounts, clock }: AddAttachmentPorts,
): Promise<void> {
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + limits.attachmentHours.value * 3_600_000)
  await accounts.transaction(async ({ chatAttachments }) => {
    await chatAttachments.insert({
      ...{ ...added, user_id: userId, pages: pages ?? null, notes: JSON.stringify(notes) },
      ...{ truncated: truncated ? 1 : 0, blocked: blocked ? 1 : 0, message_id: null },
      ...{ created_at: now.toISOString(), expires_at: expiresAt.toISOString() },
    })
    const share = {
      count: limits.attachmentsPerPerson.value,
      chars: limits.attachmentTextPerPerson.value,
    }
    await chatAttachments.removeOldest(userId, share)
  })
}
