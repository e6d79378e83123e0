import { argumentProvenance } from '../../server/src/evaluators/agent/argument-provenance.ts'
import { toolArgsValid } from '../../server/src/evaluators/agent/tool-args-valid.ts'
import { trajectoryMatch } from '../../server/src/evaluators/agent/trajectory-match.ts'
import { identityAttackTerms } from '../../server/src/evaluators/bias/identity-attack-terms.ts'
import { toolsExist } from '../../server/src/evaluators/hallucination/tools-exist.ts'
import { cleanWrites } from '../../server/src/evaluators/memory/clean-writes.ts'
import { piiInOutput } from '../../server/src/evaluators/privacy/pii-in-output.ts'
import { structuredOutput } from '../../server/src/evaluators/quality/structured-output.ts'
import { languageMatch } from '../../server/src/evaluators/relevance/language-match.ts'
import { injectionSignals } from '../../server/src/evaluators/safety/injection-signals.ts'
import { profanity } from '../../server/src/evaluators/safety/profanity.ts'
import type { LabeledSet } from './labeled-set.ts'
import {
  argumentCases,
  expectedCallCases,
  inventedArgumentCases,
  toolNameCases,
} from './public/call-cases.ts'
import {
  hateCases,
  injectionPromptCases,
  languagePairCases,
  moderatedCases,
  personalDataCases,
  schemaCases,
  taskInjectionCases,
  writtenMemoryCases,
} from './public/text-cases.ts'
import {
  bipia,
  functionCalls,
  guard,
  hateCheck,
  moderation,
  multilingual,
  presidio,
  schemaSuite,
} from './public-sources.ts'

/** Read from copies of their repositories. */
export const publicSets: readonly LabeledSet[] = [
  {
    evaluator: structuredOutput,
    source: schemaSuite,
    method: 'Values of the suite as answers that have to fit the schema of their test.',
    caveat: 'A schema that refers to another document, or to a part by its `$id`, is not checked.',
    floor: { precision: 0.99, recall: 0.93 },
    cases: schemaCases,
  },
  {
    evaluator: toolArgsValid,
    source: functionCalls,
    method:
      'The right calls, and the same with a required argument dropped, an unknown one added, or a value of another type.',
    caveat: 'The right calls that fail break their own schema, such as a text for a list.',
    floor: { precision: 0.97, recall: 0.99 },
    cases: argumentCases,
  },
  {
    evaluator: toolsExist,
    source: functionCalls,
    method: 'The right calls, and the same with a tool or an argument renamed.',
    caveat: null,
    floor: { precision: 0.99, recall: 0.99 },
    cases: toolNameCases,
  },
  {
    evaluator: trajectoryMatch,
    source: functionCalls,
    method:
      'The right calls are expected. They are made in reverse order, or with one missing, added or replaced.',
    caveat: 'One wrong call among three or more still reaches the threshold.',
    floor: { precision: 0.99, recall: 0.9 },
    cases: expectedCallCases,
  },
  {
    evaluator: argumentProvenance,
    source: functionCalls,
    method: 'The right calls, and the same with arguments of another exercise.',
    caveat:
      'Converted dates, units and currencies count as invented; numbers of one or two digits are not checked.',
    floor: { precision: 0.8, recall: 0.8 },
    cases: inventedArgumentCases,
  },
  {
    evaluator: injectionSignals,
    source: guard,
    method: 'Texts with and without injections as results of a tool.',
    caveat:
      'Most misses are roles to play and tasks without a typical phrase. Errors on this data were read when phrases were added.',
    floor: { precision: 0.7, recall: 0.25 },
    cases: injectionPromptCases,
  },
  {
    evaluator: injectionSignals,
    source: bipia,
    method: 'Attacks worded as ordinary tasks, and harmless questions, as results of a tool.',
    caveat: 'No phrase distinguishes these attacks from requests of a user.',
    floor: { precision: 0, recall: 0 },
    cases: taskInjectionCases,
  },
  {
    evaluator: profanity,
    source: moderation,
    method: 'Texts with any category of harm, and texts without one, as answers.',
    caveat:
      'Harm without a swear word is not found, and the list leaves out words of medicine and everyday language.',
    floor: { precision: 0.67, recall: 0.45 },
    cases: moderatedCases,
  },
  {
    evaluator: profanity,
    source: hateCheck,
    method: 'Hateful and other texts as answers.',
    caveat: 'Most hate has no swear word, and some profanity is not hateful.',
    floor: { precision: 0.55, recall: 0.14 },
    cases: hateCases,
  },
  {
    evaluator: identityAttackTerms,
    source: hateCheck,
    method: 'Hateful and other texts as answers.',
    caveat:
      'Hate in words outside of the fixed lists is not found. Errors on this data were read when the lists were extended.',
    floor: { precision: 0.7, recall: 0.08 },
    cases: hateCases,
  },
  {
    evaluator: cleanWrites,
    source: presidio,
    method: 'Texts with and without identifiers or contact data, written to memory.',
    caveat:
      'Most misses are phone numbers without a country code or a word such as "phone". Errors on this data were read when a rule for cards was added.',
    floor: { precision: 0.97, recall: 0.9 },
    cases: writtenMemoryCases,
  },
  {
    evaluator: piiInOutput,
    source: presidio,
    method:
      'Texts with and without identifiers, card numbers, e-mail addresses or phone numbers, as answers.',
    caveat:
      'Most misses are phone numbers without a country code or a word such as "phone". Errors on this data were read when a rule for cards was added.',
    floor: { precision: 0.97, recall: 0.9 },
    cases: personalDataCases,
  },
  {
    evaluator: languageMatch,
    source: multilingual,
    method: 'Texts in 10 languages with an answer in the same and in another language.',
    caveat:
      'Hindi in Latin letters has an uncertain language, so the evaluator does not apply to it.',
    floor: { precision: 0.98, recall: 0.79 },
    cases: languagePairCases,
  },
]
