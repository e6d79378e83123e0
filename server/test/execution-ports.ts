import { openMasterKey } from '../src/accounts/master-key.ts'
import { openModels } from '../src/model-gateway/models.ts'
import { systemClock } from '../src/platform/clock.ts'
import { openServiceTraces } from '../src/service-traces/service-traces.ts'
import { silent } from './accounts-database.ts'
import { openLoopbackOutbound } from './scripted-model-suite.ts'
import { masterSecret, type Service } from './started-app.ts'

/** Of executions that tests start without a request: they score nothing, and end after two seconds. */
export async function openExecutionPorts({ accounts, telemetry }: Service) {
  const box = await openMasterKey([masterSecret], accounts)
  const outbound = openLoopbackOutbound()
  return {
    models: openModels({ accounts, clock: systemClock, platformModel: undefined, box, outbound }),
    ...{ accounts, telemetry, clock: systemClock, log: silent, executionMs: 2000 },
    serviceTraces: openServiceTraces({ accounts, telemetry, log: silent }),
    stopping: new AbortController().signal,
    openScoring: () => Promise.reject(new Error('not opened')),
  }
}
