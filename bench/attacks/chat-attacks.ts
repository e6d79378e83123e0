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
]
