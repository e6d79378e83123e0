import { exportTraces } from '@assay/contract/otlp.ts'
import type { Bind } from '../../http/call.ts'
import type { Intake } from '../../intake/intake.ts'
import type { TelemetryStore } from '../../storage/telemetry/store.ts'
import { encodeResponse } from './encode-response.ts'
import { takeRequest } from './take-request.ts'

export interface IngestOtlpPorts {
  readonly bind: Bind
  readonly telemetry: TelemetryStore
  readonly intake: Intake
}

export function registerIngestOtlp({ bind, telemetry, intake }: IngestOtlpPorts): void {
  bind(exportTraces, async ({ body, caller: { projectId } }) => {
    // Read before the body goes to another thread, and what belongs to it with it.
    const { encoding } = body
    const { packed, ...outcome } = await takeRequest(intake, body)
    if (packed.spanCount > 0) await telemetry.record({ projectId, source: 'otlp', spans: packed })
    return { bytes: encodeResponse(encoding, outcome) }
  })
}
