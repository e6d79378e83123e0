import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { detect } from '../server/src/detection/detect.ts'
import {
  compose,
  namedShapes,
  seededRandom,
  tokenShapes,
} from '../server/test/credential-samples.ts'
import { identifierKinds, inventIdentifier } from '../server/test/identifier-samples.ts'
import { printTimes } from './detection-times.ts'

/*
 * `npm run bench:detection`: the recall of detection on invented values, its false alarms on the texts of installed
 * packages, and how long it takes, on ordinary texts and on texts that are built to be slow.
 */

const random = seededRandom(2026)
const samplesPerShape = 50

interface Recall {
  readonly found: number
  readonly whole: number
  readonly n: number
  readonly missed: readonly string[]
}

/** A sample counts as found when a finding that blocks covers it, and as whole when it also has its type. */
function measureRecall(
  kinds: readonly {
    readonly type: string
    readonly invent: () => readonly [before: string, value: string, after: string]
  }[],
): Recall {
  let found = 0
  let whole = 0
  const missed = new Set<string>()
  for (const { type, invent } of kinds) {
    for (let n = 0; n < samplesPerShape; n += 1) {
      const [before, value, after] = invent()
      const finding = detect(before + value + after).find(
        (one) =>
          one.blocks && one.start <= before.length && one.end >= before.length + value.length,
      )
      if (finding === undefined) missed.add(type)
      else found += 1
      if (finding?.type === type && finding.end - finding.start === value.length) whole += 1
    }
  }
  return { found, whole, n: kinds.length * samplesPerShape, missed: [...missed] }
}

function printRecall(
  name: string,
  target: string,
  kinds: Parameters<typeof measureRecall>[0],
): void {
  const { found, whole, n, missed } = measureRecall(kinds)
  const misses = missed.length === 0 ? '' : `, misses among ${missed.join(', ')}`
  console.log(
    `${name}: recall ${percent(found, n)} (target ${target}), exact range and type ${percent(whole, n)}, n = ${n}${misses}`,
  )
}

const percent = (part: number, all: number) => `${((100 * part) / all).toFixed(2)} %`

const tokens = tokenShapes.map(([type, shape]) => ({
  type,
  invent: () => ['Please deploy with ', compose(random, shape), ' today.'] as const,
}))

printRecall('Tokens with a prefix', '>= 97 %', tokens)
printRecall(
  'Keys and passwords with their name',
  'none',
  namedShapes.map(([type, shape]) => ({
    type,
    invent: () => {
      const [name = '', value = ''] = compose(random, shape).split('=>')
      return [
        name,
        value,
        type === 'url_password' ? '@db/x' : name.endsWith('"') ? '"' : '\n',
      ] as const
    },
  })),
)
printRecall(
  'Identifiers, beside their word where they need one',
  '100 %',
  identifierKinds.map((kind) => ({
    type: kind.type,
    invent: () =>
      [
        `On the form, ${kind.word ?? 'this'}: `,
        inventIdentifier(random, kind),
        ', please.',
      ] as const,
  })),
)
const needingWord = identifierKinds.filter(({ word }) => word !== undefined)
const withoutWord = needingWord.flatMap((kind) =>
  Array.from(
    { length: samplesPerShape },
    () => `Parcel ${inventIdentifier(random, kind)} arrived.`,
  ),
)
console.log(
  `The same without the word: ${withoutWord.filter(isBlocked).length} of ${withoutWord.length} blocked (target 0)`,
)

const inTwo = (value: string, by: string) =>
  value.slice(0, value.length / 2) + by + value.slice(value.length / 2)

for (const [name, disguise] of [
  ['zero-width characters', (value: string) => value.split('').join('\u200b')],
  ['two lines', (value: string) => inTwo(value, '\n')],
  ['two cells of a table', (value: string) => inTwo(value, '\t')],
  ['JSON inside JSON', (value: string) => inTwo(value, '\\\\n')],
  [
    'full-width letters',
    (value: string) =>
      value.replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)),
  ],
] as const) {
  printRecall(
    `Tokens in disguise: ${name}`,
    '>= 97 %',
    tokens.map(({ type, invent }) => ({
      type,
      invent: () => {
        const [before, value, after] = invent()
        return [before, disguise(value), after] as const
      },
    })),
  )
}

function isBlocked(text: string): boolean {
  return detect(text).some(({ blocks }) => blocks)
}

/** Texts of packages, in pieces of 4 KB. */
function chunksOf(pattern: string, most: number): string[] {
  const root = join(import.meta.dirname, '../node_modules')
  return globSync(pattern, { cwd: root })
    .toSorted()
    .flatMap((path) => readFileSync(join(root, path), 'utf8').match(/[^]{1,4096}/g) ?? [])
    .slice(0, most)
}

const readmes = chunksOf('{*,@*/*}/README.md', 2000)
for (const [name, target, chunks] of [
  ['READMEs', '<= 1 %', readmes],
  ['JavaScript', '0', chunksOf('{*,@*/*}/{lib,dist}/*.js', 2000)],
  ['package.json', '0', chunksOf('{*,@*/*}/package.json', 2000)],
] as const) {
  const blocked = chunks.filter(isBlocked)
  console.log(
    `False alarms in ${name}: ${blocked.length} of ${chunks.length} chunks of 4 KB (${percent(blocked.length, chunks.length)}, target ${target})`,
  )
  if (process.argv.includes('--show')) for (const chunk of blocked) show(chunk)
}

function show(chunk: string): void {
  for (const { type, start, end, blocks } of detect(chunk)) {
    if (blocks) console.log(`  ${type}: ${JSON.stringify(chunk.slice(start - 30, end + 10))}`)
  }
}
const digits = Array.from(
  { length: 20_000 },
  () =>
    `The measurement ${compose(random, `{digits:${8 + Math.floor(random() * 11)}}`)} was stored.`,
)
console.log(
  `Sentences with 8 to 18 random digits: ${digits.filter(isBlocked).length} of ${digits.length} blocked`,
)

printTimes(readmes)
