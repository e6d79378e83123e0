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
import type { LabelledSet, PublicSource } from './labelled-set.ts'
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

const functionCalls: PublicSource = {
  name: 'Berkeley Function Calling Leaderboard v4',
  license: 'Apache-2.0',
  repository: 'ShishirPatil/gorilla',
  commit: '6ea57973c7a6097fd7c5915698c54c17c5b1b6c8',
  sha256: 'd602e5de23d49f342e6abefa70197caa87693ea9446fad87a2fd2fed3343eb00',
}
const presidio: PublicSource = {
  name: 'presidio-research, synth_dataset_v2',
  license: 'MIT',
  repository: 'microsoft/presidio-research',
  commit: '7622dec1e5f7d25dc60b57c28c39f4c4af197018',
  sha256: 'ec08a771ba8135314cafb60752b2295212222ba3a4cd75d73811839c699e0012',
}
const hateCheck: PublicSource = {
  name: 'HateCheck',
  license: 'CC-BY-4.0',
  repository: 'paul-rottger/hatecheck-data',
  commit: 'd84302298ceeb34f4b0dde2d8a1f4932c2caa612',
  sha256: 'ecf0dc1e93fccc90b6f880e632b19e635c0f0a68b3157915a9e20b6938f121cf',
}
const moderation: PublicSource = {
  name: 'OpenAI moderation evaluation set',
  license: 'MIT',
  repository: 'openai/moderation-api-release',
  commit: 'f4ab51b5edd3bfbcb349a56324274235b674e0e4',
  sha256: 'ef3f7de86ee394fe337b0a566ba4b9c7db058f3caa8d6a4a0006138b663ab9a8',
}
const guard: PublicSource = {
  name: 'PIGuard: valid, NotInject and WildGuard',
  license: 'MIT',
  repository: 'leolee99/PIGuard',
  commit: '1b5751e88bf7475acbedfc8eda795ce060307c84',
  sha256: '90be00b1903db5787e73b88434ea2445852fffeb115fefe7bf5b90c2cb78034f',
}
const bipia: PublicSource = {
  ...guard,
  name: 'BIPIA attacks and NotInject, as in PIGuard',
  sha256: 'aabad331241effc8e1e79a902a57308df45c2941f898523d80c677a06ed280f3',
}
const multilingual: PublicSource = {
  name: 'Multilingual HateCheck',
  license: 'CC-BY-4.0',
  repository: 'rewire-online/multilingual-hatecheck',
  commit: 'a03f2caf2023a402d85064bda243e46d280408f0',
  sha256: '701ee7744e2144fdd7d07fd91267b749a1cb2a853efa98c3749e3508a675ab37',
}
const schemaSuite: PublicSource = {
  name: 'JSON Schema Test Suite, draft 7',
  license: 'MIT',
  repository: 'json-schema-org/JSON-Schema-Test-Suite',
  commit: '44401e0c046704b476ec9d2e2fccdaee618f259d',
  sha256: '3d17ddb9e8507c49d1394c3d1b3959285bfa653c6f3d0683c44636da869ba608',
}
/** Read from copies of their repositories. */
export const publicSets: readonly LabelledSet[] = [
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
      'Most misses are roles to play and tasks without a typical phrase. Some of the attacks were read while the phrases were improved.',
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
    caveat: 'Hate in words outside of the fixed lists is not found.',
    floor: { precision: 0.7, recall: 0.08 },
    cases: hateCases,
  },
  {
    evaluator: cleanWrites,
    source: presidio,
    method: 'Texts with and without identifiers or contact data, written to memory.',
    caveat: 'Most misses are phone numbers without a country code or a word such as "phone".',
    floor: { precision: 0.97, recall: 0.9 },
    cases: writtenMemoryCases,
  },
  {
    evaluator: piiInOutput,
    source: presidio,
    method:
      'Texts with and without identifiers, card numbers, e-mail addresses or phone numbers, as answers.',
    caveat: 'Most misses are phone numbers without a country code or a word such as "phone".',
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
