import { openLongLists } from '../../http/long-lists.ts'
import { type BulkEvaluationPorts, registerBulkEvaluation } from './bulk/bulk-evaluation-routes.ts'
import { type EvaluateRoutePorts, registerEvaluate } from './evaluate-routes.ts'
import { registerEvaluatorCollections } from './evaluators/collection-routes.ts'
import { registerEvaluators } from './evaluators/evaluator-routes.ts'
import { registerEvaluationRules } from './rules/rule-routes.ts'

/*
 * Evaluators, their collections, and evaluations of traces.
 */

export function registerEvaluation(ports: EvaluateRoutePorts & BulkEvaluationPorts): void {
  const longLists = openLongLists()
  registerEvaluators({ ...ports, longLists })
  registerEvaluatorCollections({ ...ports, longLists })
  registerEvaluate(ports)
  registerBulkEvaluation(ports)
  registerEvaluationRules(ports)
}
