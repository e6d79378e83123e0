import { describe, expect, test } from 'vitest'
import { sampleView } from '../../domain/trace-view/trace-view.samples.ts'
import { detectLanguage, languageCodes } from '../detect-language.ts'
import { languageMatch } from './language-match.ts'

const evaluate = (question: string, answer: string, system?: string) =>
  languageMatch.evaluate(
    sampleView([
      { kind: 'agent', output: { text: answer } },
      {
        kind: 'llm',
        input: {
          messages: [
            ...(system === undefined ? [] : [{ role: 'system', content: system }]),
            { role: 'user', content: question },
          ],
        },
        output: { messages: [{ role: 'assistant', content: answer }] },
      },
    ]),
    { siblings: [] },
  )

const english = 'Your parcel will arrive on Tuesday afternoon at the latest.'
const german = 'Ihr Paket kommt spätestens am Dienstagnachmittag bei Ihnen an.'
const french = 'Votre colis arrivera au plus tard mardi dans l’après-midi.'
const askedInGerman = 'Wann kommt mein Paket denn endlich bei mir zu Hause an?'
const askedInEnglish = 'When will my parcel finally arrive at my house?'

describe('matches', () => {
  test.each([
    ['the language of the user', askedInGerman, german, undefined],
    ['a request', `${askedInEnglish} Please answer in German.`, german, undefined],
    ['a request by the own name', `${askedInEnglish} Antworte auf Deutsch.`, german, undefined],
    ['a request for several', `${askedInEnglish} Reply in French or German.`, german, undefined],
    ['the system prompt', askedInEnglish, french, 'Always respond in French.'],
    ['a translation', 'Translate "Where is my parcel?" into German.', german, undefined],
    ['code in another language', askedInGerman, `${german}\n\`\`\`\n${english}\n\`\`\``, undefined],
    ['a quotation', askedInGerman, `${german} "${english}"`, undefined],
  ])('%s', (_name, question, answer, system) => {
    expect(evaluate(question, answer, system)).toMatchObject({ status: 'scored', score: 1 })
  })
})

test.each([
  [askedInGerman, english, undefined, 'English instead of German, like the messages of the user'],
  [`${askedInEnglish} Answer in German.`, english, undefined, 'as the user requested'],
  [askedInEnglish, english, 'Always respond in French.', 'as the system prompt requests'],
])('%s does not match "%s"', (question, answer, system, reason) => {
  const verdict = evaluate(question, answer, system)
  expect(verdict).toMatchObject({ score: 0, evidence: [{ spanId: 's0', quote: answer }] })
  expect(verdict.reasoning).toContain(reason)
})

test.each([
  [askedInEnglish, 'On Tuesday.'],
  ['ETA?', english],
  ['Please explain to me the trends in German industry.', german],
  ['Who speaks Portuguese in Goa, and for how long have they done so?', german],
  [askedInEnglish, '```\nlet parcel = "it arrives on Tuesday afternoon"\n```'],
])('%s with "%s" is not evaluated', (question, answer) => {
  expect(evaluate(question, answer).status).toBe('not_applicable')
})

test('the listed languages are those of the detector', async () => {
  const { eld } = await import('eld/extrasmall')
  expect(Object.values(eld.info().Languages)).toEqual(languageCodes)
  expect(detectLanguage(german)).toBe('de')
})
