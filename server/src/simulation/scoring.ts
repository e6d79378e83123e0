import type { GatewayModel } from '../model-gateway/gateway-model.ts'
import type { Requester } from '../platform/requester.ts'
import type { Spending } from './spending.ts'

/*
 * The interface of what scores simulated conversations.
 */

/** Throws a Failure for a collection that cannot be used. */
export type OpenScoring = (organizationId: string, collectionId: string) => Promise<Scoring>

/** By the evaluators of a collection. */
export interface Scoring {
  readonly callsModel: boolean
  /** Null if nothing could be scored. */
  score(simulation: SimulationToScore): Promise<number | null>
}

export interface SimulationToScore {
  readonly organizationId: string
  readonly projectId: string
  readonly traceId: string
  /** Of judges. It counts what its calls cost. */
  readonly model: GatewayModel
  readonly authorId: string
  readonly requester: Requester
  readonly signal: AbortSignal
  /** Milliseconds since 1970. */
  readonly deadline: number
  /** Of the run. */
  readonly spending: Pick<Spending, 'isUsedUp' | 'addUnpriced'>
}
