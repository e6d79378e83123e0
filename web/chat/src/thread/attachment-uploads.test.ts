import type { ChatAttachment } from '@assay/contract/chat-attachments.ts'
import type { PendingAttachment } from '@assistant-ui/react'
import { describe, expect, test } from 'vitest'
import { openAttachmentUploads } from './attachment-uploads.ts'

const stored = { id: 'stored', name: 'a.txt' } as ChatAttachment

interface Attempt {
  readonly onProgress: (share: number) => void
  readonly signal: AbortSignal
  readonly resolve: (attachment: ChatAttachment) => void
  readonly reject: (error: Error) => void
}

function openUploads() {
  const attempts: Attempt[] = []
  let count = 0
  const uploads = openAttachmentUploads(
    (_file, onProgress, signal) =>
      new Promise((resolve, reject) => {
        attempts.push({ onProgress, signal, resolve, reject })
        signal.addEventListener('abort', () => reject(new Error('aborted')))
      }),
    () => `local${((count += 1)) === 1 ? '' : count}`,
  )
  const add = (file = new File(['hello'], 'a.txt')) =>
    uploads.adapter.add({ file }) as AsyncGenerator<PendingAttachment, void>
  return { uploads, attempts, add }
}

describe('an attachment', () => {
  test('shows the progress of its upload, and is ready when the service has read it', async () => {
    const { uploads, attempts, add } = openUploads()
    const states = add()
    expect((await states.next()).value).toMatchObject({ status: { type: 'running', progress: 0 } })
    const half = states.next()
    attempts[0]?.onProgress(0.5)
    expect((await half).value).toMatchObject({ status: { type: 'running', progress: 0.5 } })
    const ready = states.next()
    attempts[0]?.resolve(stored)
    expect((await ready).value).toMatchObject({ status: { type: 'requires-action' } })
    expect(uploads.find('local')).toBe(stored)
    expect((await states.next()).done).toBe(true)
  })

  test('that the service refuses shows why', async () => {
    const { uploads, attempts, add } = openUploads()
    const states = add()
    await states.next()
    const failed = states.next()
    attempts[0]?.reject(new Error('The PDF is protected with a password.'))
    expect((await failed).value).toMatchObject({
      status: { type: 'incomplete', message: 'The PDF is protected with a password.' },
    })
    expect(uploads.find('local')).toBeUndefined()
  })

  test('waits while two others are uploaded, and never starts if it is removed meanwhile', async () => {
    const { uploads, attempts, add } = openUploads()
    const [first, second, removed, last] = [add(), add(), add(), add()] as const
    const shown = await Promise.all([first, second, removed, last].map((file) => file.next()))
    expect(shown.map(({ value }) => value?.status.type)).toEqual(Array(4).fill('running'))
    expect(attempts).toHaveLength(2)
    const end = removed.next()
    await uploads.adapter.remove(shown[2]?.value as PendingAttachment)
    expect((await end).done).toBe(true)
    attempts[0]?.resolve(stored)
    await expect.poll(() => attempts.length).toBe(3)
    attempts[2]?.resolve(stored)
    expect((await last.next()).value).toMatchObject({ status: { type: 'requires-action' } })
    expect(attempts).toHaveLength(3)
  })

  test('that is removed ends its upload', async () => {
    const { uploads, attempts, add } = openUploads()
    const states = add()
    const { value } = await states.next()
    const end = states.next()
    await uploads.adapter.remove(value as PendingAttachment)
    expect(attempts[0]?.signal.aborted).toBe(true)
    expect((await end).done).toBe(true)
  })

  test('that cannot be read, such as a folder, is not uploaded and says so', async () => {
    const { attempts, add } = openUploads()
    // A dropped folder is a file whose content cannot be read.
    const folder = new File([], 'photos')
    folder.slice = () => ({ arrayBuffer: () => Promise.reject(new Error('a folder')) }) as Blob
    expect((await add(folder).next()).value).toMatchObject({
      status: { type: 'incomplete', message: expect.stringContaining('Folders') },
    })
    expect(attempts).toEqual([])
  })

  test('that is too large is not uploaded', async () => {
    const { attempts, add } = openUploads()
    const file = new File([new Uint8Array(10 * 1024 * 1024 + 1)], 'large.txt')
    expect((await add(file).next()).value).toMatchObject({ status: { type: 'incomplete' } })
    expect(attempts).toEqual([])
  })
})
