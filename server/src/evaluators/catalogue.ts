import { noLoops } from './agent/no-loops.ts'
import { noRedundantCalls } from './agent/no-redundant-calls.ts'
import { toolArgsValid } from './agent/tool-args-valid.ts'
import { toolSuccess } from './agent/tool-success.ts'
import { trajectoryMatch } from './agent/trajectory-match.ts'
import type { DeterministicEvaluator } from './evaluator.ts'
import { latency } from './performance/latency.ts'
import { noDegeneration } from './quality/no-degeneration.ts'
import { notTruncated } from './quality/not-truncated.ts'
import { outputPresent } from './quality/output-present.ts'
import { referenceMatch } from './quality/reference-match.ts'
import { structuredOutput } from './quality/structured-output.ts'

/*
 * All built-in evaluators, in the order of the catalogue.
 */

export const deterministicEvaluators: readonly DeterministicEvaluator[] = [
  outputPresent,
  notTruncated,
  structuredOutput,
  referenceMatch,
  noDegeneration,
  toolArgsValid,
  toolSuccess,
  noLoops,
  noRedundantCalls,
  trajectoryMatch,
  latency,
]
