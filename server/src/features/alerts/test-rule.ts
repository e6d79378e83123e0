import type { testAlertRule } from '@assay/contract/alerts.ts'
import type { DataOf } from '@assay/contract/endpoint.ts'
import { limits } from '@assay/contract/limits.ts'
import { tooMany } from '../../accounts/rate-limited.ts'
import type { Counters } from '../../platform/counters.ts'
import { Failure } from '../../platform/failure.ts'
import { openRateLimit } from '../../platform/rate-limit.ts'
import type { AlertRuleRow } from '../../storage/accounts/alert-tables.ts'
import type { ProjectRow } from '../../storage/accounts/people-tables.ts'
import { toMessage } from './alert-message.ts'
import { listTargets, type SendPorts, sendMessage } from './send-message.ts'

type Deliveries = DataOf<typeof testAlertRule>['deliveries']

export type SendTest = (
  rule: AlertRuleRow,
  project: ProjectRow,
  signal: AbortSignal,
) => Promise<Deliveries>

interface TestPorts extends SendPorts {
  readonly counters: Counters
  readonly baseUrl: string
}

/** Sends test messages, of which an organization may send some at once and then one at a time. */
export function openAlertTests(ports: TestPorts): SendTest {
  const { counters, clock, baseUrl } = ports
  const rateLimit = openRateLimit(counters('alert tests by organization'), {
    burst: limits.alertTests.value,
    intervalMs: limits.alertTestSeconds.value * 1000,
  })
  return async (rule, project, signal) => {
    const targets = await listTargets(rule, ports)
    if (targets.length === 0) {
      throw new Failure('CONFLICT', 'This rule notifies nobody. Add a recipient or a webhook.')
    }
    const waitMs = await rateLimit.take(rule.organization_id)
    if (waitMs > 0) throw tooMany('requests', waitMs)
    const at = clock.now().toISOString()
    const message = toMessage({ rule, project, status: 'test', value: null, at, baseUrl })
    return await Promise.all(
      targets.map(async (target) => {
        const { channel, recipient_id, recipient } = target
        const failed = await sendMessage(target, message, rule, signal, ports)
        const problem = failed?.problem ?? null
        return { channel, recipient_id, recipient, problem, is_delivered: failed === null }
      }),
    )
  }
}
