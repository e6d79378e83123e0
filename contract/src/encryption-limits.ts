/*
 * The limits of encryption keys. Part of `limits`.
 */

export const encryptionLimits = {
  activeDevices: {
    value: 20,
    unit: 'devices',
    of: 'active devices of a user in an organization, without recovery keys',
  },
  deviceLabelLength: { value: 64, unit: 'characters', of: 'label of a device (at least 1)' },
  keyStatements: {
    value: 1000,
    unit: 'statements',
    of: 'statements about the encryption keys of a user in an organization',
  },
  reservedKeyStatements: {
    value: 100,
    unit: 'statements',
    of: 'the last of them, which only revoke devices or reset',
  },
  keyChallengeMinutes: {
    value: 5,
    unit: 'minutes',
    of: 'lifetime of a challenge of GET /e2e/keys',
  },
  keyBodyBytes: { value: 16 * 1024, unit: 'bytes', of: 'the JSON body of POST /e2e/keys' },
  epochDays: {
    value: 90,
    unit: 'days',
    of: 'an epoch of an encrypted conversation; then the next message begins another',
  },
  conversationEpochs: { value: 200, unit: 'epochs', of: 'epochs of an encrypted conversation' },
  mailboxKeysAtOnce: {
    value: 100,
    unit: 'keys',
    of: 'keys of GET and POST /chat/mailbox-keys',
  },
  mailboxKeysBodyBytes: {
    value: 64 * 1024,
    unit: 'bytes',
    of: 'the body of POST /chat/mailbox-keys',
  },
  mailboxKeys: {
    value: 100,
    unit: 'keys',
    of: 'active devices and recovery keys that an encrypted conversation can be sealed for',
  },
} as const
