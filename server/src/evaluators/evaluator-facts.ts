import type { BuiltIn } from './evaluator.ts'
import facts from './evaluator-facts.json' with { type: 'json' }

/** What the API lists about a built-in evaluator. */
export interface EvaluatorFacts extends BuiltIn {
  /** Of a judge; null for an evaluator that needs no model. */
  readonly instructions: string | null
}

/**
 * In the order of the catalogue, written by `npm run docs`: the evaluators with their libraries take 40 MB and half a
 * second, and are loaded only in the thread that runs them.
 */
export const evaluatorFacts = facts as readonly EvaluatorFacts[]
