import type { z } from 'zod'
import type { Span, TraceLabels } from '../../domain/span.ts'
import { callSpan } from '../../model-gateway/call-span.ts'
import type { GatewayModel } from '../../model-gateway/gateway-model.ts'
import { type CallReport, ModelCallError } from '../../model-gateway/model-call.ts'
import type { Models } from '../../model-gateway/models.ts'
import type { Clock } from '../../platform/clock.ts'
import { newSecret } from '../../platform/ids.ts'
import type { Requester } from '../../platform/requester.ts'
import type { ServiceTraces } from '../../service-traces/service-traces.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'

/*
 * Calls a model for the synthetic set-up, and records the call as a trace of its own in the project.
 */

export interface CallModelPorts {
  readonly models: Models
  readonly telemetry: TelemetryStore
  readonly serviceTraces: Pick<ServiceTraces, 'record'>
  readonly clock: Clock
}

export interface RecordedCall {
  readonly name: string
  readonly system: string
  readonly message: string
  readonly maxOutputTokens: number
  readonly maxMs?: number
  readonly signal: AbortSignal
}

/** Who calls, and the project that gets the trace. */
export interface ModelCaller {
  readonly organizationId: string
  readonly projectId: string
  readonly requester: Requester
}

/** `problem`: the call failed, or its answer is not in the form of the schema; `report` may have its text. */
export interface CallOutcome<Value> {
  readonly report: CallReport
  readonly value: Value | undefined
  readonly problem: ModelCallError | undefined
}

/** Without a schema, the answer is a text. Rejects with the reason of the signal only. */
export async function callModel<Value>(
  caller: ModelCaller,
  model: GatewayModel,
  call: RecordedCall,
  schema: z.ZodType<Value> | undefined,
  ports: CallModelPorts,
): Promise<CallOutcome<Value>> {
  const outcome = await generate(model, call, schema, ports.models)
  if (outcome.report.attempts > 0) {
    const { name, system, message } = call
    const span = callSpan({
      ...{ traceId: newSecret(16), name, service: 'synthetic', attributes: {}, system },
      ...{ model: model.model, provider: model.provider, report: outcome.report },
      messages: [{ role: 'user', content: message }],
      problem: outcome.problem?.message,
      endedAt: ports.clock.now(),
    })
    await record(span, caller, ports)
  }
  return outcome
}

async function generate<Value>(
  model: GatewayModel,
  { system, message, maxOutputTokens, maxMs, signal }: RecordedCall,
  schema: z.ZodType<Value> | undefined,
  models: Models,
): Promise<CallOutcome<Value>> {
  const call = {
    ...{ system, messages: [{ role: 'user' as const, content: message }], maxOutputTokens, signal },
    ...(maxMs === undefined ? {} : { maxMs }),
  }
  try {
    if (schema === undefined) {
      const report = await models.generate(model, call)
      return { report, value: undefined, problem: undefined }
    }
    const report = await models.generate(model, { ...call, schema })
    return { report, value: report.value, problem: undefined }
  } catch (error) {
    if (!(error instanceof ModelCallError)) throw error
    return { report: error.report, value: undefined, problem: error }
  }
}

const labels: TraceLabels = {
  ...{ rootName: null, environment: null, sessionId: null, userId: null },
  ...{ mode: 'simulation', tags: ['synthetic'] },
}

/** A call that cannot be recorded is used all the same. */
async function record(
  span: Span,
  { organizationId, projectId, requester }: ModelCaller,
  { telemetry, serviceTraces }: CallModelPorts,
): Promise<void> {
  await serviceTraces.record({
    subject: 'the call of a model',
    ...{ organizationId, projectId, requester, labels, spans: telemetry.encode([span]) },
  })
}
