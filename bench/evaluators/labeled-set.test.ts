import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import stored from '../../server/src/evaluators/evaluator-accuracy.json' with { type: 'json' }
import { profanity } from '../../server/src/evaluators/safety/profanity.ts'
import { measureAgreement } from './agreement.ts'
import { findFaults, type LabeledSet, readCases } from './labeled-set.ts'
import { ownSets } from './own-sets.ts'
import { hateCases, readCsv } from './public/text-cases.ts'

const folder = mkdtempSync(join(tmpdir(), 'labeled-'))
afterAll(() => rmSync(folder, { recursive: true }))

const csv = `,test_case,label_gold\r\n0,"What a nice, ""quiet"" day",non-hateful\r\n1,You shit.,hateful\r\n`

function setOf(sha256: string): LabeledSet {
  const source = { name: 'Two texts', license: 'MIT', repository: 'me/texts', commit: 'c', sha256 }
  const floor = { precision: 1, recall: 1 }
  return { evaluator: profanity, source, method: '', caveat: null, floor, cases: hateCases }
}

describe('a public set', () => {
  const hash = createHash('sha256').update(csv).digest('hex')

  test('is left out without a copy of its repository', () => {
    expect(readCases(setOf(hash), undefined)).toBeUndefined()
    expect(readCases(setOf(hash), join(folder, 'other'))).toBeUndefined()
  })

  test('is read and measured from a copy of its repository', () => {
    mkdirSync(join(folder, 'me/texts'), { recursive: true })
    writeFileSync(join(folder, 'me/texts/test_suite_cases.csv'), csv)
    const cases = readCases(setOf(hash), folder) ?? []
    expect(cases.map(({ text, isFaulty }) => [text, isFaulty])).toEqual([
      ['What a nice, "quiet" day', false],
      ['You shit.', true],
    ])
    expect(findFaults(profanity, cases)).toEqual([false, true])
    expect(() => readCases(setOf('0'), folder)).toThrow(/other data than commit c/)
  })

  test('in a table may have quoted fields with commas and line breaks', () => {
    expect(readCsv(Buffer.from('a,b\n"1,\n2",\n'))).toEqual([{ a: '1,\n2', b: '' }])
  })
})

const storedOf = (key: string) =>
  Object.entries(stored).find(([one]) => one === key)?.[1].measurements ?? []

test.each(['safety.injection-signals', 'safety.dangerous-actions', 'privacy.secrets'])(
  'the stored accuracy of %s on its own cases is what the bench measures',
  (key) => {
    const set = ownSets.find(({ evaluator }) => evaluator.key === key)!
    const cases = readCases(set, undefined) ?? []
    const { precision, recall } = measureAgreement(
      cases.map(({ isFaulty }) => isFaulty),
      findFaults(set.evaluator, cases),
    )
    const own = storedOf(key).find(({ data }) => data.url === null)
    expect(own?.cases).toBe(cases.length)
    expect(own?.precision).toBeCloseTo(precision ?? 0, 3)
    expect(own?.recall).toBeCloseTo(recall, 3)
  },
)

describe('agreement', () => {
  test.each([
    ['perfect', [1, 1, 0, 0], [1, 1, 0, 0], { precision: 1, recall: 1, f1: 1, kappa: 1 }],
    ['that of chance', [1, 1, 0, 0], [1, 0, 1, 0], { precision: 0.5, recall: 0.5, kappa: 0 }],
    ['nothing found', [1, 0], [0, 0], { precision: null, recall: 0, f1: 0, kappa: 0 }],
    ['all verdicts the same', [1, 1], [1, 1], { precision: 1, recall: 1, f1: 1, kappa: null }],
    ['one of two found', [1, 1, 0, 0], [1, 0, 0, 0], { precision: 1, recall: 0.5, kappa: 0.5 }],
  ])('%s', (_name, labels, found, expected) => {
    expect(measureAgreement(labels.map(Boolean), found.map(Boolean))).toMatchObject(expected)
  })

  test('is within its bounds, whatever the verdicts', () => {
    const verdicts = fc.array(fc.tuple(fc.boolean(), fc.boolean()), { minLength: 1 })
    fc.assert(
      fc.property(verdicts, (pairs) => {
        const [labels, found] = [pairs.map(([one]) => one), pairs.map(([, one]) => one)]
        const { precision, recall, f1, kappa } = measureAgreement(labels, found)
        for (const share of [precision ?? 0, recall, f1]) {
          expect(share).toBeGreaterThanOrEqual(0)
          expect(share).toBeLessThanOrEqual(1)
        }
        expect(kappa ?? 0).toBeGreaterThanOrEqual(-1)
        expect(kappa ?? 0).toBeLessThanOrEqual(1)
      }),
    )
  })
})
