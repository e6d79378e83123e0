import type { Clock } from '../platform/clock.ts'
import type { AccountStores } from '../storage/accounts/stores.ts'
import { rulesText } from './stored-rules.ts'

/*
 * The rules that hold in a project, as every batch needs them: read seldom, and told to whatever thread does the
 * pricing as one text.
 */

export interface ProjectPrices {
  /** For `pricerFor`; empty where the project and its organization have no rules. */
  rulesOf(projectId: string): Promise<string>
  /** To be called when rules have changed: what is asked from then on is answered by the new ones. */
  forget(): void
}

/** How late the change that another process has made may be seen. */
const freshMs = 10_000

/** Projects in use at one time; each is a text, empty for nearly all. */
const rememberedMax = 10_000

export function projectPrices(
  { prices }: Pick<AccountStores, 'prices'>,
  clock: Clock,
): ProjectPrices {
  let remembered = new Map<string, { readonly rules: Promise<string>; readonly readAtMs: number }>()

  const read = async (projectId: string) => rulesText(await prices.listEffective(projectId))
  return {
    async rulesOf(projectId) {
      const nowMs = clock.now().getTime()
      const known = remembered.get(projectId)
      if (known !== undefined && Math.abs(nowMs - known.readAtMs) < freshMs)
        return await known.rules
      const here = remembered
      const rules = read(projectId)
      if (here.size >= rememberedMax) here.clear()
      here.set(projectId, { rules, readAtMs: nowMs })
      // What could not be read is not remembered.
      rules.catch(() => here.delete(projectId))
      return await rules
    },
    forget() {
      // Reads under way end in the old map, where nobody looks any more.
      remembered = new Map()
    },
  }
}
