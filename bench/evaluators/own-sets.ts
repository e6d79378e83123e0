import { quotesExact } from '../../server/src/evaluators/faithfulness/quotes-exact.ts'
import { numbersSupported } from '../../server/src/evaluators/hallucination/numbers-supported.ts'
import { toolsExist } from '../../server/src/evaluators/hallucination/tools-exist.ts'
import { secrets } from '../../server/src/evaluators/privacy/secrets.ts'
import { languageMatch } from '../../server/src/evaluators/relevance/language-match.ts'
import { dangerousActions } from '../../server/src/evaluators/safety/dangerous-actions.ts'
import { injectionSignals } from '../../server/src/evaluators/safety/injection-signals.ts'
import { commandCases } from './command-cases.ts'
import { injectionCases } from './injection-cases.ts'
import type { LabeledSet } from './labeled-set.ts'
import { languageCases } from './language-cases.ts'
import { numberCases } from './number-cases.ts'
import { quotationCases } from './quotation-cases.ts'
import { secretCases } from './secret-cases.ts'
import { toolCases } from './tool-cases.ts'

/** Cases that were written or generated for the measurement. */
export const ownSets: readonly LabeledSet[] = [
  {
    evaluator: injectionSignals,
    method: 'Tool results with prompt injections, and harmless ones with similar words.',
    caveat: 'Injections worded as ordinary tasks are not found.',
    floor: { precision: 0.95, recall: 0.7 },
    cases: injectionCases,
  },
  {
    evaluator: dangerousActions,
    method: 'Commands and SQL that destroy or expose, and harmless ones with similar words.',
    caveat: 'Commands that are built when they run, and unusual tools, are not found.',
    floor: { precision: 0.95, recall: 0.9 },
    cases: commandCases,
  },
  {
    evaluator: numbersSupported,
    method: 'Answers about invented orders, and the same with one value changed.',
    caveat: 'A changed value can equal another value of the trace by chance.',
    floor: { precision: 0.95, recall: 0.7 },
    cases: numberCases,
  },
  {
    evaluator: toolsExist,
    method: 'Calls of defined tools, and calls with a misspelled tool or argument.',
    caveat: null,
    floor: { precision: 0.99, recall: 0.99 },
    cases: toolCases,
  },
  {
    evaluator: quotesExact,
    method: 'Exact quotations, and the same with changed, added or moved words.',
    caveat: 'The quotations are generated from four texts; those of real answers vary more.',
    floor: { precision: 0.95, recall: 0.9 },
    cases: quotationCases,
  },
  {
    evaluator: languageMatch,
    method: 'Questions in 16 languages with answers in the same and in another language.',
    caveat: 'Texts with fewer than 20 letters are not evaluated.',
    floor: { precision: 0.95, recall: 0.9 },
    cases: languageCases,
  },
  {
    evaluator: secrets,
    method: 'Invented credentials of each known provider, and identifiers that are no credentials.',
    caveat:
      'The credentials have the shapes that the rules look for. Passwords of real traces have any shape, so fewer of them are found.',
    floor: { precision: 0.97, recall: 0.97 },
    cases: secretCases,
  },
].map((set): LabeledSet => ({ ...set, source: null }))
