import type { joinReply } from '@assay/contract/chat-stream.ts'
import type { Input } from '@assay/contract/endpoint.ts'
import type { KeyOwner } from '@assay/contract/key-fingerprints.ts'
import { readingProof } from '@assay/contract/sealed-history.ts'
import { openChallenge } from '../../key-directory/challenge.ts'
import { readChain } from '../../key-directory/read-chain.ts'
import { isFromDevice } from '../../key-directory/reading-proof.ts'
import { Failure } from '../../platform/failure.ts'
import type { ChatStreamPorts } from './chat-stream-ports.ts'

/** What a reader proves; without one of its members, nothing. */
export type GivenProof = Input<typeof joinReply>['query']

/** Throws FORBIDDEN unless an active device of the owner has signed, for a valid challenge, that it reads the reply. */
export async function checkReader(
  messageId: string,
  given: GivenProof,
  owner: KeyOwner,
  ports: ChatStreamPorts,
  signal: AbortSignal,
): Promise<void> {
  const { data: proof } = readingProof.safeParse(given)
  if (proof === undefined) throw notDevice()
  const challenge = { id: proof.challenge_id, nonce: proof.nonce }
  if (openChallenge(ports.challengeSecret, owner, challenge, ports.clock.now()) === undefined) {
    throw notDevice()
  }
  const { chain } = await readChain(owner, ports, signal)
  if (!isFromDevice(proof, messageId, owner, chain)) throw notDevice()
}

const notDevice = () =>
  new Failure(
    'FORBIDDEN',
    'Only an active device can read a reply of an encrypted conversation while it is written. Enroll this browser, or read the reply when it has ended.',
  )
