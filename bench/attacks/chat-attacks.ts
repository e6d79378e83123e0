import { addAttachment } from '@assay/contract/chat-attachments.ts'
import { scanMessage } from '@assay/contract/chat-scan.ts'
import { limits } from '@assay/contract/limits.ts'
import type { Attack } from './attack.ts'

/*
 * Attacks of members on the chat product.
 */

export const chatAttacks: readonly Attack[] = [
  {
    name: 'chat-scans',
    by: 'viewer',
    endpoints: [scanMessage],
    connections: 32,
    responds: [200],
    requests: ({ scale }) => {
      // Of the texts as long as this, with thousands of findings it takes the most time.
      const number = ' 123-45-6788 '
      const text = number.repeat((limits.chatTextLength.value * scale) / number.length)
      return () => ({ body: { text } })
    },
  },
  {
    name: 'attachments',
    by: 'viewer',
    endpoints: [addAttachment],
    connections: 16,
    responds: [200],
    requests: ({ scale }) => {
      const file = Buffer.alloc(Math.floor(limits.attachmentBytes.value * scale), ' 123-45-6788 ')
      const body = Buffer.concat([
        Buffer.from('--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'),
        file,
        Buffer.from('\r\n--x--\r\n'),
      ])
      return () => ({ body, headers: { 'content-type': 'multipart/form-data; boundary=x' } })
    },
  },
]
