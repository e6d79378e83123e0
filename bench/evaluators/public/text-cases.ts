import { gunzipSync } from 'node:zlib'
import { sampleView } from '../../../server/src/domain/trace-view/trace-view.samples.ts'
import { answeredTrace, type LabeledCase } from '../labeled-case.ts'
import type { ReadFile } from '../labeled-set.ts'

/*
 * Public sets of labeled texts. A text becomes the answer to a neutral question, or the result of a tool.
 */

const question = 'What does the record contain?'

function answerCase(text: string, isFaulty: boolean): LabeledCase {
  return { text, isFaulty, trace: answeredTrace(question, [], text) }
}

function parse<T>(content: Buffer): T {
  return JSON.parse(content.toString())
}

/** Identifiers and contact data. Names, postal addresses and dates are for judges. */
const identifying = [
  ...['CREDIT_CARD', 'EMAIL_ADDRESS', 'IBAN_CODE', 'US_SSN', 'PHONE_NUMBER', 'US_DRIVER_LICENSE'],
]

interface AnnotatedText {
  readonly full_text: string
  readonly spans: readonly { readonly entity_type: string }[]
}

function annotatedTexts(read: ReadFile, types: readonly string[]) {
  const texts = parse<AnnotatedText[]>(read('data/synth_dataset_v2.json'))
  return texts.map(({ full_text, spans }) => ({
    text: full_text,
    isFaulty: spans.some(({ entity_type }) => types.includes(entity_type)),
  }))
}

export function personalDataCases(read: ReadFile): LabeledCase[] {
  return annotatedTexts(read, identifying).map(({ text, isFaulty }) => answerCase(text, isFaulty))
}

/** IP addresses count too. */
export function writtenMemoryCases(read: ReadFile): LabeledCase[] {
  return annotatedTexts(read, [...identifying, 'IP_ADDRESS']).map(({ text, isFaulty }) => ({
    ...{ text, isFaulty },
    trace: sampleView([
      { kind: 'agent', input: { messages: [{ role: 'user', content: question }] } },
      { kind: 'memory', name: 'memory.write', input: { key: 'note', value: text } },
    ]),
  }))
}

/** Rows of a file with a header; fields may be quoted and contain line breaks. */
export function readCsv(content: Buffer): readonly Readonly<Record<string, string>>[] {
  const rows: string[][] = []
  const fields = `\n${content.toString()}`.matchAll(/(,|\r?\n)(?:"((?:[^"]|"")*)"|([^,\r\n]*))/g)
  for (const [, separator, quoted, bare] of fields) {
    if (separator !== ',') rows.push([])
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? bare ?? '')
  }
  const [header = [], ...body] = rows
  return body
    .filter((row) => row.length === header.length)
    .map((row) => Object.fromEntries(header.map((name, index) => [name, row[index]!])))
}

export function hateCases(read: ReadFile): LabeledCase[] {
  return readCsv(read('test_suite_cases.csv')).map((row) =>
    answerCase(row['test_case']!, row['label_gold'] === 'hateful'),
  )
}

interface Moderated {
  readonly prompt: string
}

/** A text is faulty if any category of harm is set. */
export function moderatedCases(read: ReadFile): LabeledCase[] {
  const lines = gunzipSync(read('data/samples-1680.jsonl.gz')).toString().trim().split('\n')
  return lines.map((line) => {
    const { prompt, ...labels }: Moderated = JSON.parse(line)
    return answerCase(prompt, Object.values(labels).includes(1))
  })
}

function resultCase(text: string, isFaulty: boolean): LabeledCase {
  return { text, isFaulty, trace: answeredTrace(question, [{ body: text }], 'Nothing much.') }
}

const promptsIn = (content: Buffer) =>
  parse<{ prompt: string; label?: number }[]>(content).map(({ prompt, label }) => ({
    text: prompt,
    isFaulty: label === 1,
  }))

/** Questions with and without injections, and harmless questions with the words of injections. */
export function injectionPromptCases(read: ReadFile): LabeledCase[] {
  const files = ['valid', 'NotInject_one', 'NotInject_two', 'NotInject_three', 'wildguard']
  return files
    .flatMap((name) => promptsIn(read(`datasets/${name}.json`)))
    .map(({ text, isFaulty }) => resultCase(text, isFaulty))
}

/** Attacks that are worded as ordinary tasks, and harmless questions. */
export function taskInjectionCases(read: ReadFile): LabeledCase[] {
  const attacks = ['BIPIA_text', 'BIPIA_code'].flatMap((name) =>
    Object.values(parse<Record<string, string[]>>(read(`datasets/${name}.json`))).flat(),
  )
  const files = ['NotInject_one', 'NotInject_two', 'NotInject_three']
  const harmless = files.flatMap((name) => promptsIn(read(`datasets/${name}.json`)))
  return [
    ...attacks.map((text) => resultCase(text, true)),
    ...harmless.map(({ text }) => resultCase(text, false)),
  ]
}

const languages = [
  ...['arabic', 'dutch', 'french', 'german', 'hindi', 'italian', 'mandarin', 'polish'],
  ...['portuguese', 'spanish'],
]
const perLanguage = 200
const lettersMin = 40

/** Texts of one language as question and answer, and answers in the next language. */
export function languagePairCases(read: ReadFile): LabeledCase[] {
  const texts = languages.map((language) =>
    readCsv(read(`MHC Final Cases/hatecheck_cases_final_${language}.csv`))
      .map((row) => row['test_case']!)
      .filter((text) => text.length >= (language === 'mandarin' ? 20 : lettersMin))
      .slice(0, 2 * perLanguage),
  )
  return texts.flatMap((own, index) => {
    const next = texts[(index + 1) % texts.length]!
    return own.slice(0, perLanguage).flatMap((asked, at) => {
      const toCase = (answer: string, isFaulty: boolean): LabeledCase => ({
        text: `${asked} / ${answer}`,
        isFaulty,
        trace: answeredTrace(asked, [], answer),
      })
      const same = own[own.length - 1 - at]!
      return [toCase(same, false), toCase(next[at % next.length]!, true)]
    })
  })
}

interface SchemaGroup {
  readonly schema: unknown
  readonly tests: readonly {
    readonly description: string
    readonly data: unknown
    readonly valid: boolean
  }[]
}

const keywords = [
  ...['additionalProperties', 'allOf', 'anyOf', 'const', 'contains', 'default', 'enum'],
  ...['exclusiveMaximum', 'exclusiveMinimum', 'items', 'maxItems', 'maxLength', 'maximum'],
  ...['maxProperties', 'minItems', 'minLength', 'minProperties', 'minimum', 'multipleOf', 'not'],
  ...['oneOf', 'pattern', 'patternProperties', 'properties', 'propertyNames', 'required', 'type'],
  ...['uniqueItems', 'if-then-else', 'ref'],
]

/** Each value as the answer to a question that requests JSON of its schema. */
export function schemaCases(read: ReadFile): LabeledCase[] {
  return keywords.flatMap((keyword) =>
    parse<SchemaGroup[]>(read(`tests/draft7/${keyword}.json`)).flatMap(({ schema, tests }) =>
      typeof schema === 'boolean'
        ? []
        : tests.map(({ description, data, valid }) => ({
            text: `${keyword}: ${description} ${JSON.stringify(schema).slice(0, 200)} ${JSON.stringify(data)}`,
            isFaulty: !valid,
            trace: sampleView([
              {
                kind: 'agent',
                input: {
                  messages: [{ role: 'user', content: 'Answer in JSON.' }],
                  eval: { schema },
                },
                output: { text: JSON.stringify(data) },
              },
            ]),
          })),
    ),
  )
}
