import { toolSelection } from '../../server/src/evaluators/agent/tool-selection.ts'
import { fairLanguage } from '../../server/src/evaluators/bias/fair-language.ts'
import { toolResults } from '../../server/src/evaluators/faithfulness/tool-results.ts'
import { claimsSupported } from '../../server/src/evaluators/hallucination/claims-supported.ts'
import type { JudgedEvaluator } from '../../server/src/evaluators/judge/judge.ts'
import { harmfulContent } from '../../server/src/evaluators/safety/harmful-content.ts'
import type { LabeledData } from './labeled-set.ts'
import { numberCases } from './number-cases.ts'
import { expectedCallCases } from './public/call-cases.ts'
import { hateCases, moderatedCases } from './public/text-cases.ts'
import { functionCalls, hateCheck, moderation } from './public-sources.ts'

export interface JudgedSet extends LabeledData {
  readonly evaluator: JudgedEvaluator
}

/** Cases of other evaluators whose labels answer the questions of a judge. */
export const judgeSets: readonly JudgedSet[] = [
  { evaluator: claimsSupported, source: null, cases: numberCases },
  { evaluator: toolResults, source: null, cases: numberCases },
  { evaluator: toolSelection, source: functionCalls, cases: expectedCallCases },
  { evaluator: harmfulContent, source: moderation, cases: moderatedCases },
  { evaluator: fairLanguage, source: hateCheck, cases: hateCases },
]
