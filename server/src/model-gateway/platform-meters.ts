import type { Clock } from '../platform/clock.ts'
import { Unavailable } from '../platform/failure.ts'
import type { AccountStores } from '../storage/accounts/stores.ts'
import type { SpendMeter } from './gateway-model.ts'

export interface PlatformMetersPorts {
  readonly accounts: Pick<AccountStores, 'platformSpend'>
  readonly clock: Clock
}

interface Addition {
  readonly organizationId: string
  readonly month: string
  readonly usd: number
}

/**
 * The meters of organizations, by the UTC month at the time of each call. What cannot be added while the database is away
 * is added with the next call of the organization: the call is paid for, and its answer is not lost. No call begins
 * meanwhile, as `isUsedUp` rejects, so that little can wait. A call whose addition was stored, but not confirmed, counts
 * twice, and what waits when the process ends does not count.
 */
export function openPlatformMeters({ accounts: { platformSpend }, clock }: PlatformMetersPorts) {
  let waiting: readonly Addition[] = []
  const waitingOf = (owner: string) =>
    waiting.filter(({ organizationId }) => organizationId === owner)

  const addOne = async (addition: Addition): Promise<void> => {
    const { organizationId, month, usd } = addition
    try {
      await platformSpend.add(organizationId, month, usd)
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error
      waiting = [...waiting, addition]
    }
  }

  return (organizationId: string, allowanceUsd: number): SpendMeter => {
    const month = () => clock.now().toISOString().slice(0, 7)
    return {
      async isUsedUp() {
        const now = month()
        const spentUsd = await platformSpend.read(organizationId, now)
        const ofMonth = waitingOf(organizationId).filter((one) => one.month === now)
        return ofMonth.reduce((sum, { usd }) => sum + usd, spentUsd) >= allowanceUsd
      },

      async add(usd) {
        const own = waitingOf(organizationId)
        // Taken, so that a call at the same time does not add them as well.
        waiting = waiting.filter((one) => !own.includes(one))
        await Promise.all([...own, { organizationId, month: month(), usd }].map(addOne))
      },
    }
  }
}
