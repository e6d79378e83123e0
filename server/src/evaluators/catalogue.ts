import { toolArgsValid } from './agent/tool-args-valid.ts'
import { toolSuccess } from './agent/tool-success.ts'
import type { DeterministicEvaluator } from './evaluator.ts'
import { latency } from './performance/latency.ts'
import { outputPresent } from './quality/output-present.ts'

/*
 * All built-in evaluators, in the order of the catalogue.
 */

export const deterministicEvaluators: readonly DeterministicEvaluator[] = [
  outputPresent,
  toolArgsValid,
  toolSuccess,
  latency,
]
