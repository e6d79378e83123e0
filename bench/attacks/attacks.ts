import { alertAttacks } from './alert-attacks.ts'
import { anonymousAttacks } from './anonymous-attacks.ts'
import type { Attack } from './attack.ts'
import { chatAttacks } from './chat-attacks.ts'
import { ingestAttacks } from './ingest-attacks.ts'
import { memberAttacks } from './member-attacks.ts'
import { readAttacks } from './read-attacks.ts'
import { reviewAttacks } from './review-attacks.ts'
import { selectionAttacks } from './selection-attacks.ts'
import { syntheticAttacks } from './synthetic-attacks.ts'

/** All rows, in the order in which they run: those that change what the store holds are last. */
export const attacks: readonly Attack[] = [
  ...anonymousAttacks,
  ...readAttacks,
  // Before the second project is removed.
  ...selectionAttacks,
  ...memberAttacks,
  ...alertAttacks,
  ...reviewAttacks,
  ...syntheticAttacks,
  ...chatAttacks,
  ...ingestAttacks,
]
