import { limits } from '@assay/contract/limits.ts'
import { executeRun as executeRunEndpoint, streamExecution } from '@assay/contract/run-execution.ts'
import { type Bind, type Call, ReadyJson } from '../../http/call.ts'
import { openMemberBudget } from '../../platform/member-budget.ts'
import { type ExecuteRunPorts, executeRun, type RunEvent, toStreamed } from './execute-run.ts'
import { type PrepareExecutionPorts, prepareExecution } from './prepare-execution.ts'

export interface ExecutionPorts extends ExecuteRunPorts, PrepareExecutionPorts {
  readonly accounts: ExecuteRunPorts['accounts']
  readonly bind: Bind
}

export function registerRunExecution(ports: ExecutionPorts): void {
  const { bind } = ports
  const budget = openMemberBudget({
    total: limits.executions.value,
    ofOrganization: limits.executionsOfOrganization.value,
    ofUser: limits.executionsOfUser.value,
    refusal: 'Too many runs are being executed. Try again when one has finished.',
  })

  /** The events of an execution that has started. */
  const start = async ({ caller, params, body, readOptions, signal }: ExecutionCall) => {
    const { organizationId, projectId, user } = caller
    const target = { organizationId, projectId, runId: params.runId }
    const release = budget.take(readOptions.requester)
    try {
      const prepared = await prepareExecution(target, body, ports)
      const { requester } = readOptions
      const request = { target, body, userId: user.id, requester, signal }
      return thenRelease(executeRun(request, prepared, ports), release)
    } catch (error) {
      release()
      throw error
    }
  }

  bind(executeRunEndpoint, async (call) => {
    const parts: string[] = []
    for await (const event of await start(call)) {
      if (event.type !== 'completed') continue
      for await (const piece of event.pieces) parts.push(piece)
    }
    return new ReadyJson(...parts)
  })

  bind(streamExecution, async (call) => toLines(await start(call)))
}

type ExecutionCall = Call<typeof executeRunEndpoint> | Call<typeof streamExecution>

async function* thenRelease<Item>(items: AsyncIterable<Item>, release: () => void) {
  try {
    yield* items
  } finally {
    release()
  }
}

async function* toLines(events: AsyncIterable<RunEvent>) {
  for await (const event of events) yield toStreamed(event)
}
