import { addAttachment } from '@assay/contract/chat-attachments.ts'
import { scanMessage } from '@assay/contract/chat-scan.ts'
import { joinReply, streamReply } from '@assay/contract/chat-stream.ts'
import { call } from '@assay/contract/client.ts'
import { listConversations, readConversation } from '@assay/contract/conversations.ts'
import { limits } from '@assay/contract/limits.ts'
import { addMailboxKeys, listMailboxKeys } from '@assay/contract/mailbox-keys.ts'
import { createModelConfig } from '@assay/contract/model-configs.ts'
import { documentLimits } from '../../server/src/documents/document.ts'
import { attachmentForm } from '../../server/test/attachment-form.ts'
import { docx, paragraph, pdfBomb } from '../../server/test/documents.ts'
import { type Attack, stored, type Target } from './attack.ts'
import { findProjectSlugs } from './project-slugs.ts'

/*
 * Attacks of members on the chat product.
 */

export const chatAttacks: readonly Attack[] = [
  {
    name: 'conversation-searches',
    by: 'viewer',
    endpoints: [listConversations],
    connections: 32,
    responds: [200],
    requests: async (target) => {
      const slugs = await findProjectSlugs(target)
      // In no title, and each is compared as long as possible.
      const q = `${'a'.repeat(limits.conversationSearchLength.value / 2)}b`
      return (n) => ({ query: { ...slugs, limit: 100, ...(n % 2 === 0 && { q }) } })
    },
  },
  {
    name: 'conversations',
    by: 'viewer',
    endpoints: [readConversation],
    connections: 32,
    responds: [200],
    requests: () => () => ({ params: { conversationId: stored.conversationId } }),
  },
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
      const { raw: body, send: headers } = attachmentForm('a.txt', file)
      return () => ({ body, headers })
    },
  },
  {
    name: 'hostile-documents',
    by: 'viewer',
    endpoints: [addAttachment],
    connections: 16,
    responds: [422, 422, 422, 422],
    requests: ({ scale }) => {
      const size = Math.max(documentLimits.pdfStreamBytes + 4, 400 * 2 ** 20 * scale)
      const paragraphs = Array.from({ length: documentLimits.tags / 5 }, (_, n) =>
        paragraph(`${n}`),
      )
      // Refused for a measured size, the memory of the process, a declared size, and the number of tags.
      const files = [
        attachmentForm('a.pdf', pdfBomb(size)),
        attachmentForm('b.pdf', pdfBomb(size, 2, '/Subtype /Image')),
        attachmentForm('c.docx', docx(paragraph('a'.repeat(size / 8)))),
        attachmentForm('d.docx', docx(paragraphs.join(''))),
      ]
      return (n) => {
        const { raw: body, send: headers } = files[n % files.length]!
        return { body, headers }
      }
    },
  },
  {
    name: 'mailbox-keys',
    by: 'viewer',
    endpoints: [listMailboxKeys, addMailboxKeys],
    connections: 32,
    // Nobody could add keys for a device that they do not have: the request is read and the chain too.
    responds: [200, 409],
    requests: async (target) => {
      const where = await findProjectSlugs(target)
      const device = crypto.randomUUID()
      const kem_pub = 'A'.repeat(43)
      const key = { conversation_id: device, enc: 'A'.repeat(43), sealed: 'A'.repeat(64) }
      const keys = Array.from({ length: limits.mailboxKeysAtOnce.value }, (_, n) => ({
        ...{ ...key, epoch: n + 1 },
      }))
      return (_n, endpoint) =>
        endpoint === listMailboxKeys
          ? { query: { ...where, device, lacking: device, kem_pub } }
          : { body: { ...where, device, kem_pub, keys } }
    },
  },
  {
    name: 'held-back-messages',
    by: 'editor',
    endpoints: [streamReply],
    connections: 32,
    responds: [200],
    requests: async (target) => {
      const model_config_id = await addModel(target)
      const number = ' 123-45-6788 '
      const content = number.repeat((limits.chatTextLength.value * target.scale) / number.length)
      const history = Array.from({ length: 70 }, () => ({ role: 'user', content }))
      const body = { ...(await findProjectSlugs(target)), model_config_id }
      return () => ({ body: { ...body, message: content, history } })
    },
  },
  {
    name: 'replies',
    by: 'editor',
    endpoints: [streamReply, joinReply],
    connections: 32,
    responds: [200, 200],
    requests: async (target) => {
      const model_config_id = await addModel(target)
      const length = limits.chatTextLength.value * target.scale
      const message = 'Items can be returned within 30 days. '.repeat(length / 38)
      const body = { ...(await findProjectSlugs(target)), model_config_id, message }
      const messageId = await findReply(target, body)
      return (_n, endpoint) => (endpoint === joinReply ? { params: { messageId } } : { body })
    },
  },
]

/** A model whose calls fail. */
async function addModel({ api, organizationId: orgId, credentials }: Target): Promise<string> {
  const body = {
    ...({ label: 'm', provider: 'openai-compatible', model: 'm' } as const),
    base_url: 'https://models.attackers.invalid/v1',
  }
  const as = { headers: credentials.admin }
  return (await call(api, createModelConfig, { params: { orgId }, body }, as)).id
}

async function findReply({ chatApi, credentials }: Target, body: object): Promise<string> {
  const response = await fetch(chatApi + streamReply.path, {
    method: 'POST',
    headers: { ...credentials.editor, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return /"message_id":"([^"]+)"/.exec(await response.text())?.[1] ?? ''
}
