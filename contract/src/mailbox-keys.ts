import { z } from 'zod'
import { bytes32, deviceId } from './encryption-keys.ts'
import { endpoint } from './endpoint.ts'
import { appBody, id, limitedList, projectSlugs } from './fields.ts'
import { limits } from './limits.ts'
import { mailboxKey } from './sealed-history.ts'

/*
 * The keys of encrypted conversations, to seal them for a device that was enrolled later, for a new recovery key, or for
 * the new keys of a device.
 */

const { enc, sealed } = mailboxKey.shape
const conversationKey = {
  conversation_id: id,
  epoch: z.int().min(1).max(limits.conversationEpochs.value),
  ...{ enc, sealed },
}

export const listMailboxKeys = endpoint({
  method: 'GET',
  path: '/chat/mailbox-keys',
  tag: 'Encryption keys',
  product: 'chat',
  refusals: 'chat',
  reply: 'bare',
  summary: 'Read keys of your encrypted conversations in an organization',
  description:
    'Of the keys that are sealed for `device`, those that are not yet sealed for the key `kem_pub` of `lacking`: some of them, in no particular order. Add them for `lacking`, and read the next. With the same device in both, those that are sealed for an earlier key of it.',
  access: { by: 'session' },
  cost: 'expensive',
  query: z.object({
    ...projectSlugs,
    device: deviceId,
    lacking: deviceId,
    kem_pub: bytes32.describe('the present key of `lacking`'),
  }),
  success: {
    status: 200,
    data: z.object({
      keys: limitedList(
        z.object({ ...conversationKey, mailbox_pub: bytes32 }),
        'mailboxKeysAtOnce',
      ),
    }),
  },
  errors: ['ORG_NOT_FOUND', 'PROJECT_NOT_FOUND'],
})

export const addMailboxKeys = endpoint({
  method: 'POST',
  path: '/chat/mailbox-keys',
  tag: 'Encryption keys',
  product: 'chat',
  refusals: 'chat',
  reply: 'bare',
  summary: 'Add keys of your encrypted conversations for a device or recovery key',
  description:
    'A key that the device already has is replaced only if it is sealed for an earlier key of the device.',
  access: { by: 'session' },
  cost: 'expensive',
  body: {
    ...appBody(
      z.object({
        ...projectSlugs,
        device: deviceId.describe('your active device or recovery key that they are sealed for'),
        kem_pub: bytes32.describe('its present key'),
        keys: z.array(z.object(conversationKey)).min(1).max(limits.mailboxKeysAtOnce.value),
      }),
    ),
    maxBytes: limits.mailboxKeysBodyBytes.value,
    malformed: 400,
  },
  success: { status: 200, data: z.object({ added: z.int().describe('new or replaced keys') }) },
  errors: ['ORG_NOT_FOUND', 'PROJECT_NOT_FOUND', 'NOT_FOUND', 'CONFLICT'],
})
