import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { anchoredRules, shapeRules } from '../server/src/detection/all-rules.ts'
import { detect } from '../server/src/detection/detect.ts'
import { createRuleSearch, type RuleSearch } from '../server/src/detection/find-matches.ts'
import {
  compose,
  namedShapes,
  seededRandom,
  tokenShapes,
} from '../server/test/credential-samples.ts'
import { identifierKinds, inventIdentifier } from '../server/test/identifier-samples.ts'

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

for (const [name, disguise] of [
  ['zero-width characters', (value: string) => value.split('').join('\u200b')],
  [
    'two lines',
    (value: string) => `${value.slice(0, value.length / 2)}\n${value.slice(value.length / 2)}`,
  ],
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

/** Wall-clock time, the best of several runs. */
function bestMs(run: () => void, runs: number): number {
  let best = Infinity
  for (let n = 0; n < runs; n += 1) {
    const started = performance.now()
    run()
    best = Math.min(best, performance.now() - started)
  }
  return best
}

/** Processor time, which does not depend on who else uses the machine. Its clock is coarse: many runs are averaged. */
function processorMs(run: () => void, runs: number): number {
  const started = process.threadCpuUsage()
  for (let n = 0; n < runs; n += 1) run()
  const { user, system } = process.threadCpuUsage(started)
  return (user + system) / 1000 / runs
}

const prose =
  'The second delivery arrived on 4 May with 12 boxes, and nobody remembers who signed for it. The team asked to keep a token of thanks for the driver. '
for (const [name, text] of [
  ['prose', prose.repeat(220)],
  ['READMEs', readmes.join('').slice(0, 400_000)],
] as const) {
  const micros = processorMs(() => void detect(text), 20) * 1000
  console.log(
    `Time on ${name}: ${(micros / (text.length / 1024)).toFixed(0)} µs/KB (target <= 200)`,
  )
}

const hostileBytes = 65_536
const repeated = (text: string) =>
  text.repeat(Math.ceil(hostileBytes / text.length)).slice(0, hostileBytes)
const hostileParts = [
  '',
  ' ',
  ': ',
  '="',
  "='a",
  '-',
  'a.',
  '_',
  '\n',
  ' is ',
  '=,,,,',
  '=(',
  ' for a b c ',
  '          ',
  'a1B',
  ' 123456789 ',
  ' 1234567890123 ',
  ' 123-45-6788 ',
  '1 2 3 4 5 6 ',
  ' A123456',
  ' ABCDEF12G34H567I ',
  ' 1234 5678 9012 3456 ',
  ' aB3dE5gH7jK9mN1pQ3sT5vW7yZ9aB3dE5gH7jK9 ',
  ' 0a1b2c3d4e5f60718293a4b5c6d7e8f9 ',
  '.1234567890',
  '+1 23 45 67 ',
]

function slowest(keyword: string, search: RuleSearch): number {
  const texts = hostileParts.map((part) => keyword + part).filter((text) => text !== '')
  return Math.max(
    ...texts.map((text) => {
      const hostile = repeated(text)
      const run = () => void search.findMatches(hostile)
      const best = bestMs(run, 2)
      return best < 4 ? best : Math.min(best, processorMs(run, 20))
    }),
  )
}

const times = [
  ...anchoredRules.map((rule) => {
    const prefix = /^\(\?:([^|)]*)/.exec(rule.pattern.source)?.[1]?.replaceAll('\\', '')
    const keywords = [rule.keywords[0] ?? '', ...(rule.isPrefixed && prefix ? [prefix] : [])]
    const search = createRuleSearch([rule], [])
    return { type: rule.type, ms: Math.max(...keywords.map((keyword) => slowest(keyword, search))) }
  }),
  ...shapeRules.map((rule) => {
    return { type: rule.type, ms: slowest(rule.words[0] ?? '', createRuleSearch([], [rule])) }
  }),
].toSorted((a, b) => b.ms - a.ms)
const worst = times.slice(0, 5).map(({ type, ms }) => `${type} ${ms.toFixed(1)} ms`)
console.log(
  `Hostile texts of 64 KB, per rule: ${worst.join(', ')} of ${times.length} rules (target < 5 ms)`,
)
