import type { AgentConfig } from '@assay/contract/agent-config.ts'
import { noUsage, type TraceLabels } from '../../domain/span.ts'
import { callSpan } from '../../model-gateway/call-span.ts'
import type { GatewayModel } from '../../model-gateway/gateway-model.ts'
import { getConfiguredModel } from '../../model-gateway/get-configured-model.ts'
import { type CallReport, ModelCallError } from '../../model-gateway/model-call.ts'
import type { Models } from '../../model-gateway/models.ts'
import type { Clock } from '../../platform/clock.ts'
import { newSecret } from '../../platform/ids.ts'
import type { Requester } from '../../platform/requester.ts'
import type { Cell } from '../../scenarios/coverage.ts'
import type { Written } from '../../scenarios/fill-by-model.ts'
import { fillAnswer, fillPrompt, readFillAnswer } from '../../scenarios/fill-prompt.ts'
import type { ServiceTraces } from '../../service-traces/service-traces.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'

/*
 * Writes scenarios with a model. The calls for one run are recorded as one trace.
 */

export interface WriterPorts {
  readonly models: Models
  readonly telemetry: TelemetryStore
  readonly serviceTraces: Pick<ServiceTraces, 'record'>
  readonly clock: Clock
}

/** The configured model, else that of the platform; without one, the reason in a sentence. */
export async function findWriter(
  organizationId: string,
  configId: string | null,
  { models }: Pick<WriterPorts, 'models'>,
): Promise<{ readonly model: GatewayModel } | { readonly unavailable: string }> {
  if (configId === null) return await models.platformModel(organizationId)
  return { model: await getConfiguredModel(organizationId, configId, models) }
}

export interface WriterTask {
  readonly organizationId: string
  readonly projectId: string
  readonly requester: Requester
  readonly runId: string
  readonly agent: AgentConfig
  readonly model: GatewayModel
  readonly signal: AbortSignal
  /** Milliseconds since 1970. */
  readonly deadline: number
}

export interface ScenarioWriter {
  /** Does not reject: a caller that has left gets a problem as well. */
  write(cells: readonly Cell[], avoidedNames: readonly string[]): Promise<Written>
  /** Of the calls with a known price, abandoned ones included. */
  costUsd(): number
}

export function openScenarioWriter(task: WriterTask, ports: WriterPorts): ScenarioWriter {
  let nanoUsd = 0
  return {
    async write(cells, avoidedNames) {
      let isSent = false
      const model = withMeter(task.model, (usd) => {
        isSent = true
        nanoUsd += Math.round(usd * 1e9)
      })
      const prompt = fillPrompt(task.agent, cells, avoidedNames, newSecret(12))
      const { system, maxOutputTokens } = prompt
      const messages = [{ role: 'user' as const, content: prompt.message }]
      const { signal, deadline } = task
      const startedMs = performance.now()
      const finish = async (report: CallReport, problem: string | undefined) => {
        if (report.attempts === 0) return
        await recordCall({ system, messages, report, problem }, task, ports)
      }
      try {
        const call = { system, messages, maxOutputTokens, schema: fillAnswer, signal, deadline }
        const answer = await ports.models.generate(model, { ...call, temperature: 0.8 })
        await finish(answer, undefined)
        return { texts: readFillAnswer(answer.value, cells) }
      } catch (error) {
        if (signal.aborted && !(error instanceof ModelCallError)) {
          const problem = 'The request was canceled.'
          const latencyMs = Math.round(performance.now() - startedMs)
          await finish({ ...abandoned, attempts: isSent ? 1 : 0, latencyMs }, problem)
          return { problem }
        }
        if (!(error instanceof ModelCallError)) throw error
        await finish(error.report, error.message)
        return { problem: error.message }
      }
    },
    costUsd: () => nanoUsd / 1e9,
  }
}

/** The gateway adds the cost of each call that was sent: of an abandoned one, the most that it may have cost. */
function withMeter(model: GatewayModel, add: (usd: number) => void): GatewayModel {
  const { meter } = model
  return {
    ...model,
    meter: {
      isUsedUp: async () => (await meter?.isUsedUp()) ?? false,
      async add(usd) {
        add(usd)
        await meter?.add(usd)
      },
    },
  }
}

const abandoned = { usage: noUsage, costUsd: null, stopReason: null, text: null }

type Call = Pick<Parameters<typeof callSpan>[0], 'system' | 'messages' | 'report' | 'problem'>

/** Scenarios are of use although the trace of their call cannot be stored. */
async function recordCall(
  call: Call,
  { organizationId, projectId, requester, runId, model: { model, provider } }: WriterTask,
  { telemetry, serviceTraces, clock }: WriterPorts,
): Promise<void> {
  const span = callSpan({
    ...call,
    ...{ model, provider, traceId: runId.replaceAll('-', ''), name: 'write scenarios' },
    ...{ service: 'cost calculator', attributes: { 'assay.cost_calculator.run_id': runId } },
    endedAt: clock.now(),
  })
  await serviceTraces.record({
    subject: 'a call that writes scenarios',
    ...{ organizationId, projectId, requester, labels, spans: telemetry.encode([span]) },
  })
}

const labels: TraceLabels = {
  ...{ rootName: 'write scenarios', environment: null, sessionId: null, userId: null },
  ...{ mode: 'simulation', tags: [] },
}
