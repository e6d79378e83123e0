import type { Clock } from '../platform/clock.ts'
import type { AccountStores } from '../storage/accounts/stores.ts'
import { rulesText } from './stored-rules.ts'

/*
 * The rules of a project, which every batch needs: read rarely, cached, and passed to the pricing thread as
 * text.
 */

export interface ProjectPrices {
  /** For `pricerFor`; empty if the project and its organization have no rules. */
  readRules(projectId: string): Promise<string>
  /** Call it after rules change: later reads return the new rules. */
  forget(): void
}

/** Maximum delay until a change by another process is visible. */
const freshMs = 10_000

/** Maximum projects in the cache; the text of nearly all is empty. */
const rememberedMax = 10_000

export function projectPrices(
  { prices }: Pick<AccountStores, 'prices'>,
  clock: Clock,
): ProjectPrices {
  let remembered = new Map<string, { readonly rules: Promise<string>; readonly readAtMs: number }>()

  const read = async (projectId: string) => rulesText(await prices.listEffective(projectId))
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
    forget() {
      // Running reads write into the discarded map.
      remembered = new Map()
    },
  }
}
