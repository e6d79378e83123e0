import type { Clock } from '../platform/clock.ts'
import type { Accounts } from '../storage/accounts/connect.ts'
import { rulesText } from './stored-rules.ts'

/*
 * The rules of a project, which every batch needs: read rarely, cached, and passed to the pricing thread as
 * text.
 */

export interface ProjectPrices {
  /** For `pricerFor`; empty if the project and its organization have no rules. */
  readRules(projectId: string): Promise<string>
  /** Call it after rules of the organization change: later reads return the new rules, in every process. */
  forget(organizationId: string): void
}

/** Maximum delay until a change by another process is visible, while notifications are not delivered. */
const freshMs = 10_000

/** Maximum projects in the cache; the text of nearly all is empty. */
const rememberedMax = 10_000

export function projectPrices(
  { prices, notifications }: Pick<Accounts, 'prices' | 'notifications'>,
  clock: Clock,
): ProjectPrices {
  let remembered = new Map<string, { readonly rules: Promise<string>; readonly readAtMs: number }>()

  const read = async (projectId: string) => rulesText(await prices.listEffective(projectId))
  const forgetHere = () => {
    // Running reads write into the discarded map.
    remembered = new Map()
  }
  notifications.listen('prices', { onMessage: forgetHere, onGap: forgetHere })
  return {
    async readRules(projectId) {
      const nowMs = clock.now().getTime()
      const known = remembered.get(projectId)
      if (known !== undefined && Math.abs(nowMs - known.readAtMs) < freshMs)
        return await known.rules
      const here = remembered
      const rules = read(projectId)
      if (here.size >= rememberedMax) here.clear()
      here.set(projectId, { rules, readAtMs: nowMs })
      // Failed reads are not cached.
      rules.catch(() => here.delete(projectId))
      return await rules
    },
    forget(organizationId) {
      forgetHere()
      notifications.send('prices', { organizationId })
    },
  }
}
