import { registerEvaluatorCollections } from './collection-routes.ts'
import { type EvaluatePorts, registerEvaluate } from './evaluate-routes.ts'
import { registerEvaluators } from './evaluator-routes.ts'

/*
 * Evaluators, their collections, and evaluations of traces.
 */

export function registerEvaluation(ports: EvaluatePorts): void {
  registerEvaluators(ports)
  registerEvaluatorCollections(ports)
  registerEvaluate(ports)
}
