import type { Clock } from '../platform/clock.ts'
import { Unavailable } from '../platform/failure.ts'
import type { AccountStores } from '../storage/accounts/stores.ts'
import type { SpendMeter } from './gateway-model.ts'

export interface PlatformMetersPorts {
  readonly accounts: Pick<AccountStores, 'platformSpend'>
  readonly clock: Clock
}

/**
 * The meters of organizations, by the UTC month at the time of each call. What cannot be added while the database is away
 * is added with the next call: the call is paid for, and its answer is not lost. No call begins meanwhile, as `isUsedUp`
 * rejects, so that little can wait.
 */
export function openPlatformMeters({ accounts: { platformSpend }, clock }: PlatformMetersPorts) {
  /** In dollars, by organization and month. */
  const waiting = new Map<string, number>()

  return (organizationId: string, allowanceUsd: number): SpendMeter => {
    const month = () => clock.now().toISOString().slice(0, 7)
    const keyOf = (ofMonth: string) => `${organizationId} ${ofMonth}`
    return {
      async isUsedUp() {
        const now = month()
        const spentUsd = await platformSpend.read(organizationId, now)
        return spentUsd + (waiting.get(keyOf(now)) ?? 0) >= allowanceUsd
      },

      async add(usd) {
        const now = month()
        const key = keyOf(now)
        const totalUsd = usd + (waiting.get(key) ?? 0)
        // Taken, so that a call at the same time does not add it as well.
        waiting.delete(key)
        try {
          await platformSpend.add(organizationId, now, totalUsd)
        } catch (error) {
          if (!(error instanceof Unavailable)) throw error
          waiting.set(key, totalUsd + (waiting.get(key) ?? 0))
        }
      },
    }
  }
}
