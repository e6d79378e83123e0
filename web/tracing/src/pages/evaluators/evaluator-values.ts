import type { Evaluator, EvaluatorCategory } from '@assay/contract/evaluators.ts'
import type { EvaluatorBody } from '../../api/evaluators.ts'
import { parseNumber } from '../../form/parse-number.ts'
import { parseTags } from '../../form/parse-tags.ts'

/*
 * An evaluator of the organization in a form. The contract validates the result.
 */

export interface EvaluatorValues {
  readonly name: string
  readonly category: EvaluatorCategory
  readonly description: string
  /** Separated by commas. */
  readonly tags: string
  readonly prompt_template: string
  readonly threshold: string
}

const defaultThreshold = 0.7

export function toEvaluatorValues(evaluator: Evaluator | null): EvaluatorValues {
  return {
    name: evaluator?.name ?? '',
    category: evaluator?.category ?? 'custom',
    description: evaluator?.description ?? '',
    tags: evaluator?.tags.join(', ') ?? '',
    prompt_template: evaluator?.prompt_template ?? '',
    threshold: String(evaluator?.threshold ?? defaultThreshold),
  }
}

export function toEvaluatorBody(values: EvaluatorValues): EvaluatorBody {
  const { name, category, description, tags, prompt_template, threshold } = values
  return {
    ...{ name: name.trim(), category, description: description.trim(), prompt_template },
    tags: parseTags(tags),
    // Text that is not a number is left for the contract to refuse.
    threshold: parseNumber(threshold) ?? defaultThreshold,
  }
}
