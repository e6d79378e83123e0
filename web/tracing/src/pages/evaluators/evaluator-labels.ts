import {
  type AccuracyMeasurement,
  type CollectedEvaluator,
  type EvaluatorCategory,
  isJudge,
} from '@assay/contract/evaluators.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { unknown } from '@assay/ui/number-format.ts'

export const categoryLabels: Readonly<Record<EvaluatorCategory, string>> = {
  quality: 'Quality',
  agent: 'Agent',
  safety: 'Safety',
  mcp: 'MCP',
  memory: 'Memory',
  hallucination: 'Hallucination',
  bias: 'Bias',
  privacy: 'Privacy',
  faithfulness: 'Faithfulness',
  relevance: 'Relevance',
  performance: 'Performance',
  custom: 'Custom',
}

/** What to do with a failure. Built-in evaluators have it as a tag. */
export function formatUse({ is_default, tags }: CollectedEvaluator): string {
  if (!is_default) return 'You decide'
  return tags.includes('gate') ? 'Can block a release' : 'Only warns'
}

export function formatThreshold(threshold: number): string {
  return threshold.toFixed(2)
}

/** `Precision 0.98, recall 1.00`. */
export function formatAccuracy({ precision, recall }: AccuracyMeasurement): string {
  return `Precision ${precision?.toFixed(2) ?? unknown}, recall ${recall.toFixed(2)}`
}

/** The first sentence of a description. */
export function firstSentence(description: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(description)?.[0] ?? description
}

/** How many evaluators of a collection call a model. */
export function formatModelNeed(evaluators: readonly CollectedEvaluator[]): string {
  const count = evaluators.filter(isJudge).length
  if (count === 0) return 'Not needed'
  return `Needed by ${countOf(count, 'evaluator')}`
}
