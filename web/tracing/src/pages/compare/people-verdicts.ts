import type { Score } from '@assay/contract/scores.ts'
import { countOf } from '@assay/ui/count-of.ts'

/** The scores that people gave in review of an evaluator. */
export function peopleOf(scores: readonly Score[], evaluatorId: string): readonly Score[] {
  return scores.filter((score) => score.evaluator_id === evaluatorId)
}

/** `Passed by 2 people, failed by 1 person`. Empty without any. */
export function summarizePeople(scores: readonly Score[], evaluatorId: string): string {
  const given = peopleOf(scores, evaluatorId)
  const passed = given.filter((score) => score.passed).length
  const counts = [
    ['passed', passed],
    ['failed', given.length - passed],
  ] as const
  const text = counts
    .flatMap(([verdict, count]) =>
      count === 0 ? [] : `${verdict} by ${countOf(count, 'person', 'people')}`,
    )
    .join(', ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
