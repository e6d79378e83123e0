import type { ChatAttachment } from '@assay/contract/chat-attachments.ts'
import { limits } from '@assay/contract/limits.ts'
import type { AttachmentAdapter, CreateAttachment, PendingAttachment } from '@assistant-ui/react'
import type { UploadedAttachment } from './thread-state.ts'
import { openUploadQueue } from './upload-queue.ts'

/*
 * The files of the composer: uploads with their progress, and what the service has read from them.
 */

type Upload = (
  file: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
) => Promise<ChatAttachment>

export interface AttachmentUploads {
  readonly adapter: AttachmentAdapter
  /** By the id in the composer. */
  readonly find: (localId: string) => UploadedAttachment | undefined
  /** Adds attachments of a message that was not sent to the composer again. */
  readonly restore: (
    attachments: readonly UploadedAttachment[],
    add: (attachment: CreateAttachment) => Promise<void>,
  ) => Promise<void>
}

export function openAttachmentUploads(upload: Upload, newId: () => string): AttachmentUploads {
  const uploaded = new Map<string, UploadedAttachment>()
  const running = new Map<string, AbortController>()
  const inTurn = openUploadQueue()

  async function* add({ file }: { file: File }): AsyncGenerator<PendingAttachment, void> {
    const base = { id: newId(), type: 'document' as const, name: file.name, file }
    const failed = (message: string): PendingAttachment => ({
      ...base,
      status: { type: 'incomplete', reason: 'error', message },
    })
    if (file.size > limits.attachmentBytes.value) return yield failed('Larger than 10 MiB.')
    if (!(await isReadable(file)))
      return yield failed('It cannot be read. Folders cannot be attached.')
    const cancel = new AbortController()
    running.set(base.id, cancel)
    const { signal } = cancel
    const progress = followProgress((onProgress) =>
      inTurn(signal, () => upload(file, onProgress, signal)),
    )
    try {
      for await (const share of progress.shares) {
        yield { ...base, status: { type: 'running', reason: 'uploading', progress: share } }
      }
      uploaded.set(base.id, await progress.result)
      yield { ...base, status: { type: 'requires-action', reason: 'composer-send' } }
    } catch (error) {
      if (signal.aborted) return
      yield failed(error instanceof Error ? error.message : String(error))
    } finally {
      running.delete(base.id)
    }
  }

  return {
    find: (localId) => uploaded.get(localId),
    async restore(attachments, addToComposer) {
      for (const attachment of attachments) {
        const { id, name } = attachment
        uploaded.set(id, attachment)
        await addToComposer({ id, name, type: 'document', content: [] })
      }
    },
    adapter: {
      accept: '*',
      add,
      async remove({ id }) {
        running.get(id)?.abort()
        uploaded.delete(id)
      },
      async send(attachment) {
        return { ...attachment, status: { type: 'complete' }, content: [] }
      },
    },
  }
}

/** Not a folder, and still there. */
const isReadable = async (file: File) =>
  await file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )

/** The reported shares as they come; ends when the work has ended, however. */
function followProgress<Result>(work: (onProgress: (share: number) => void) => Promise<Result>) {
  let latest: number | undefined = 0
  let hasEnded = false
  let wake: () => void = () => {}
  const result = work((share) => {
    latest = share
    wake()
  })
  const end = () => {
    hasEnded = true
    wake()
  }
  result.then(end, end)
  async function* read(): AsyncGenerator<number, void> {
    while (!hasEnded) {
      if (latest === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      } else {
        const share = latest
        latest = undefined
        yield share
      }
    }
  }
  return { result, shares: read() }
}
