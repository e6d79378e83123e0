import type { AccessControl } from '../../accounts/access-control.ts'
import type { Replies } from '../../chat-replies/replies.ts'
import type { IngestWorkers } from '../../ingest-workers/ingest-workers.ts'
import type { Models } from '../../model-gateway/models.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { MemberTurns } from '../../platform/member-turns.ts'
import type { ServiceTraces } from '../../service-traces/service-traces.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'

export interface ChatStreamPorts {
  readonly accounts: Accounts
  readonly access: Pick<AccessControl, 'findProjectCaller' | 'getNamedProjectCaller'>
  readonly telemetry: TelemetryStore
  readonly serviceTraces: Pick<ServiceTraces, 'record'>
  readonly models: Models
  readonly replies: Replies
  readonly ingestWorkers: IngestWorkers
  /** Of the hashes of approved values. */
  readonly approvalKey: Uint8Array
  /** Of the challenges of the key directory. */
  readonly challengeSecret: Uint8Array
  readonly chainTurns: MemberTurns
  readonly clock: Clock
  readonly log: Log
}
