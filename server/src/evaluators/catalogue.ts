import { evaluatorCategories } from '@assay/contract/evaluators.ts'
import { argumentProvenance } from './agent/argument-provenance.ts'
import { cleanFinish } from './agent/clean-finish.ts'
import { errorRecovery } from './agent/error-recovery.ts'
import { noLoops } from './agent/no-loops.ts'
import { noRedundantCalls } from './agent/no-redundant-calls.ts'
import { taskCompletion } from './agent/task-completion.ts'
import { toolArgsValid } from './agent/tool-args-valid.ts'
import { toolSelection } from './agent/tool-selection.ts'
import { toolSuccess } from './agent/tool-success.ts'
import { trajectoryMatch } from './agent/trajectory-match.ts'
import { counterfactualGap } from './bias/counterfactual-gap.ts'
import { fairLanguage } from './bias/fair-language.ts'
import { identityAttackTerms } from './bias/identity-attack-terms.ts'
import { rubric } from './custom/rubric.ts'
import { traceAssertions } from './custom/trace-assertions.ts'
import type { DeterministicEvaluator } from './evaluator.ts'
import { citationsValid } from './faithfulness/citations-valid.ts'
import { grounded } from './faithfulness/grounded.ts'
import { quotesExact } from './faithfulness/quotes-exact.ts'
import { toolResults } from './faithfulness/tool-results.ts'
import { actionsBacked } from './hallucination/actions-backed.ts'
import { claimsSupported } from './hallucination/claims-supported.ts'
import { linksReal } from './hallucination/links-real.ts'
import { numbersSupported } from './hallucination/numbers-supported.ts'
import { toolsExist } from './hallucination/tools-exist.ts'
import type { JudgedEvaluator } from './judge/judge.ts'
import { approvalBeforeEffects } from './mcp/approval-before-effects.ts'
import { protocolConformance } from './mcp/protocol-conformance.ts'
import { toolDefinitions } from './mcp/tool-definitions.ts'
import { toolPoisoning } from './mcp/tool-poisoning.ts'
import { toolUse } from './mcp/tool-use.ts'
import { cleanWrites } from './memory/clean-writes.ts'
import { contextHeadroom } from './memory/context-headroom.ts'
import { freshReads } from './memory/fresh-reads.ts'
import { recallUsed } from './memory/recall-used.ts'
import { retention } from './memory/retention.ts'
import { cost } from './performance/cost.ts'
import { errorRate } from './performance/error-rate.ts'
import { latency } from './performance/latency.ts'
import { disclosure } from './privacy/disclosure.ts'
import { minimalEgress } from './privacy/minimal-egress.ts'
import { piiInOutput } from './privacy/pii-in-output.ts'
import { secrets } from './privacy/secrets.ts'
import { conciseness } from './quality/conciseness.ts'
import { correctness } from './quality/correctness.ts'
import { instructionFollowing } from './quality/instruction-following.ts'
import { noDegeneration } from './quality/no-degeneration.ts'
import { notTruncated } from './quality/not-truncated.ts'
import { outputPresent } from './quality/output-present.ts'
import { referenceMatch } from './quality/reference-match.ts'
import { structuredOutput } from './quality/structured-output.ts'
import { answerRelevance } from './relevance/answer.ts'
import { inScope } from './relevance/in-scope.ts'
import { languageMatch } from './relevance/language-match.ts'
import { retrievalRelevance } from './relevance/retrieval.ts'
import { dangerousActions } from './safety/dangerous-actions.ts'
import { harmfulContent } from './safety/harmful-content.ts'
import { injectionNotObeyed } from './safety/injection-not-obeyed.ts'
import { injectionSignals } from './safety/injection-signals.ts'
import { profanity } from './safety/profanity.ts'
import { refusalAppropriate } from './safety/refusal-appropriate.ts'
import { systemPromptKept } from './safety/system-prompt-kept.ts'

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
  errorRecovery,
  cleanFinish,
  argumentProvenance,
  injectionSignals,
  injectionNotObeyed,
  profanity,
  dangerousActions,
  systemPromptKept,
  toolDefinitions,
  protocolConformance,
  toolPoisoning,
  approvalBeforeEffects,
  freshReads,
  cleanWrites,
  contextHeadroom,
  recallUsed,
  numbersSupported,
  linksReal,
  toolsExist,
  identityAttackTerms,
  counterfactualGap,
  piiInOutput,
  secrets,
  minimalEgress,
  quotesExact,
  citationsValid,
  languageMatch,
  latency,
  cost,
  errorRate,
  traceAssertions,
]

export const judgedEvaluators: readonly JudgedEvaluator[] = [
  correctness,
  instructionFollowing,
  conciseness,
  taskCompletion,
  toolSelection,
  harmfulContent,
  refusalAppropriate,
  toolUse,
  retention,
  actionsBacked,
  claimsSupported,
  fairLanguage,
  disclosure,
  grounded,
  toolResults,
  answerRelevance,
  retrievalRelevance,
  inScope,
  rubric,
]

/** By category; in each, first those that need no model. */
export const builtInEvaluators: readonly (DeterministicEvaluator | JudgedEvaluator)[] =
  evaluatorCategories.flatMap((category) =>
    [...deterministicEvaluators, ...judgedEvaluators].filter(({ key }) =>
      key.startsWith(`${category}.`),
    ),
  )
