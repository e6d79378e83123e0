import { flag, oneOf, text } from '@assay/account/routes/search-fields.ts'
import { type SearchOf, searchSchema } from '@assay/account/routes/search-schema.ts'
import { type Evaluator, evaluatorCategories, isJudge } from '@assay/contract/evaluators.ts'
import { categoryLabels } from './evaluator-labels.ts'

/*
 * The filters of the catalogue in the URL.
 */

export const evaluatorSearch = searchSchema({
  q: text,
  category: oneOf(evaluatorCategories),
  source: oneOf(['built-in', 'own']),
  /** Only evaluators that need no model. */
  offline: flag,
  /** The id of the evaluator with open details. */
  open: text,
})
export type EvaluatorSearch = SearchOf<typeof evaluatorSearch>

export function hasFilters({ q, category, source, offline }: EvaluatorSearch): boolean {
  return [q, category, source, offline].some((value) => value !== undefined)
}

/** The evaluators that match all filters: each word of the text occurs somewhere in the evaluator. */
export function filterEvaluators(
  evaluators: readonly Evaluator[],
  { q = '', category, source, offline }: EvaluatorSearch,
): readonly Evaluator[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  return evaluators.filter((one) => {
    if (category !== undefined && one.category !== category) return false
    if (source !== undefined && one.is_default !== (source === 'built-in')) return false
    if (offline !== undefined && isJudge(one)) return false
    const found = searchedText(one)
    return words.every((word) => found.includes(word))
  })
}

function searchedText(one: Evaluator): string {
  const { name, key, category, description, tags, reads } = one
  return [name, key, categoryLabels[category], description, ...tags, ...reads]
    .join('\n')
    .toLowerCase()
}
