import type { Replies } from '../../chat-replies/replies.ts'
import type { ReadChainPorts } from '../../key-directory/read-chain.ts'
import type { Clock } from '../../platform/clock.ts'
import type { SecretBox } from '../../platform/secret-box.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'

export interface EncryptionKeysPorts extends Pick<ReadChainPorts, 'chainTurns'> {
  readonly accounts: Accounts
  readonly box: Pick<SecretBox, 'seal' | 'open'>
  /** The key of the service for challenges. */
  readonly challengeSecret: Uint8Array
  readonly replies: Pick<Replies, 'stopSealed'>
  readonly clock: Clock
}
