import { base } from '@assay/account/api/base.ts'
import { addAttachment, type ChatAttachment } from '@assay/contract/chat-attachments.ts'
import { ApiError } from '@assay/contract/client.ts'

/*
 * Uploads of attachments. `fetch` reports no progress of uploads in any browser.
 */

/** `isStored`: not for an encrypted conversation, whose messages are sent with these texts. `onProgress` gets the sent share of the file, from 0 to 1. */
export function uploadAttachment(
  file: File,
  isStored: boolean,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<ChatAttachment> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(addAttachment.method, `${base}${addAttachment.path}?store=${isStored}`)
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total)
    request.onload = () => {
      if (request.status !== 200) return reject(toError(request))
      resolve(request.response as ChatAttachment)
    }
    request.onerror = () =>
      reject(
        new ApiError(0, 'UNREACHABLE', 'The service cannot be reached. Check your connection.'),
      )
    request.onabort = () => reject(new DOMException('The upload was canceled.', 'AbortError'))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    const form = new FormData()
    form.append('file', file, file.name)
    request.send(form)
  })
}

function toError({ status, response }: XMLHttpRequest): ApiError {
  const error = (response as { error?: { code: string; message: string } } | null)?.error
  const message = error?.message ?? `The service responded with ${status} and no message.`
  return new ApiError(status, error?.code ?? 'UNREACHABLE', message)
}
