import type { TraceView } from '../../domain/trace-view/trace-view.ts'
import { detectLanguage, languageName } from '../detect-language.ts'
import type { DeterministicEvaluator } from '../evaluator.ts'
import { notApplicable, quoteText, scored } from '../verdicts.ts'
import { findRequestedLanguages, mentionsLanguage } from './requested-language.ts'

export const languageMatch: DeterministicEvaluator = {
  key: 'relevance.language-match',
  name: "Answers in the user's language",
  description:
    'The score is 1 if the answer is in the language of the user, or in the one that the user or the system prompt requests ("answer in German", "auf Deutsch"), and 0 otherwise. Code, links and quotations are left out. Distinguishes 60 languages; Danish and Norwegian, Croatian and Serbian, and Czech and Slovak count as one each. Reads the first 10,000 characters. Does not apply when either text has fewer than 20 letters or an uncertain language, or when the user mentions a language without a clear request.',
  threshold: 1,
  use: 'gate',
  reads: ['input', 'output', 'system prompt', 'messages'],
  evaluate(trace) {
    const { output } = trace
    if (output === undefined) return notApplicable('The trace has no answer.')
    const actual = detectLanguage(output.text)
    if (actual === undefined) {
      return notApplicable('The answer is too short, or its language is uncertain.')
    }
    const expected = expectedLanguages(trace)
    if (typeof expected === 'string') return notApplicable(expected)
    const names = expected.languages.map(languageName).join(' or ')
    if (expected.languages.includes(actual)) {
      return scored(1, `The answer is in ${languageName(actual)}, ${expected.reason}.`)
    }
    const issue = `The answer is in ${languageName(actual)} instead of ${names}, ${expected.reason}.`
    return scored(0, issue, { issues: [issue], evidence: [quoteText(output)] })
  },
}

interface Expected {
  readonly languages: readonly string[]
  /** Completes "in German, …". */
  readonly reason: string
}

/** A text that is the reason when there is none. */
function expectedLanguages({ input, system, messages }: TraceView): Expected | string {
  const question = input?.text ?? ''
  const ofUser = findRequestedLanguages(question)
  if (ofUser.length > 0) return { languages: ofUser, reason: 'as the user requested' }
  const ofSystem = findRequestedLanguages(system?.text ?? '')
  if (ofSystem.length > 0) {
    return { languages: ofSystem, reason: 'as the system prompt requests' }
  }
  if (mentionsLanguage(question)) return 'The user mentions a language without a clear request.'
  const conversation = messages.filter(({ role }) => role === 'user').map(({ text }) => text)
  const own = detectLanguage(question) ?? detectLanguage(conversation.join('\n'))
  if (own !== undefined) return { languages: [own], reason: 'like the messages of the user' }
  return 'The messages of the user are too short, or their language is uncertain.'
}
