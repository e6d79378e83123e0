import type { CostRun } from '@assay/contract/cost-runs.ts'
import { countOf } from '@assay/ui/count-of.ts'

/** What two runs do not have in common, so that their differences have other causes than the models. */
export function listDifferences(a: CostRun, b: CostRun): readonly string[] {
  const contentOf = ({ turns, conversation_plan: { goal } }: CostRun['scenarios'][number]) =>
    JSON.stringify([goal, turns])
  const inA = new Set(a.scenarios.map(contentOf))
  const shared = b.scenarios.filter((one) => inA.has(contentOf(one))).length
  const isSame = shared === a.scenarios.length && shared === b.scenarios.length
  const [scoredA, scoredB] = [a, b].map(({ execution }) => execution?.collection_id ?? null)
  return [
    ...(isSame
      ? []
      : shared === 0
        ? ['They have no scenario in common, so costs and scores are hardly comparable.']
        : [`They have ${countOf(shared, 'scenario')} in common.`]),
    ...(scoredA === scoredB ? [] : ['Different collections scored them, or only one was scored.']),
  ]
}
