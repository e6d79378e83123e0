import {
  createAlertRule,
  listAlertEvents,
  testAlertRule,
  updateAlertRule,
} from '@assay/contract/alerts.ts'
import { call } from '@assay/contract/client.ts'
import type { Attack } from './attack.ts'

/*
 * Attacks with alert rules: each change is followed by a check, which reads telemetry.
 */

export const alertAttacks: readonly Attack[] = [
  {
    name: 'alerts',
    by: 'editor',
    endpoints: [createAlertRule, updateAlertRule, listAlertEvents, testAlertRule],
    connections: 32,
    responds: [201, 200, 200, 200],
    requests: async ({ api, projectId, credentials }) => {
      const body = (n: number) => ({
        ...({ name: `Rule ${n}`, metric: 'latency_p90', window_minutes: 60 } as const),
        ...{ threshold: n, webhook_url: `https://hooks-${n}.attackers.invalid/` },
      })
      const args = { params: { projectId }, body: body(0) }
      const { id } = await call(api, createAlertRule, args, { headers: credentials.editor })
      return (n, endpoint) => ({
        ...(endpoint === createAlertRule ? {} : { params: { ruleId: id } }),
        ...(endpoint === createAlertRule || endpoint === updateAlertRule
          ? { body: body(n + 1) }
          : {}),
      })
    },
  },
]
