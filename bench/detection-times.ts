import { shortLength } from '../server/src/chat-content/scan-text.ts'
import { anchoredRules, shapeRules } from '../server/src/detection/all-rules.ts'
import { detect } from '../server/src/detection/detect.ts'
import { createRuleSearch, type RuleSearch } from '../server/src/detection/find-matches.ts'
import type { AnchoredRule, ShapeRule } from '../server/src/detection/rule.ts'

/*
 * How long detection takes: on ordinary texts, and on texts that are built to be slow.
 */

/** `readmes` are pieces of 4 KB. */
export function printTimes(readmes: readonly string[]): void {
  printOrdinary(readmes)
  printHostileRules()
  printHostileTexts()
}

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

function printOrdinary(readmes: readonly string[]): void {
  const joined = readmes.join('')
  for (const [name, text] of [
    ['prose', prose.repeat(220)],
    ['READMEs', joined.slice(0, 400_000)],
  ] as const) {
    const micros = processorMs(() => void detect(text), 20) * 1000
    const perKb = (micros / (text.length / 1024)).toFixed(0)
    console.log(`Time on ${name}: ${perKb} µs/KB (target <= 200)`)
  }
  const mb = 1024 * 1024
  const twice = joined.repeat(Math.ceil((2 * mb) / joined.length))
  const long = Array.from({ length: 40 }, (_, n) => twice.slice(n * 20_000, n * 20_000 + mb))
  for (const [name, texts] of [
    ['4 KB', readmes],
    ['1 MB', long],
  ] as const) {
    const times = texts.map((text) => bestMs(() => void detect(text), 1)).toSorted((a, b) => a - b)
    const quantile = (q: number) => times[Math.ceil(q * times.length) - 1]?.toFixed(2)
    console.log(`READMEs in texts of ${name}: p50 ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms`)
  }
}

const hostileParts = [
  ...['', ' ', ': ', '="', "='a", '-', 'a.', '_', '\n', ' is ', '=,,,,', '=(', ' for a b c '],
  ...['          ', 'a1B', ' 123456789 ', ' 1234567890123 ', ' 123-45-6788 ', '1 2 3 4 5 6 '],
  ...[' A123456', ' ABCDEF12G34H567I ', ' 1234 5678 9012 3456 ', '.1234567890', '+1 23 45 67 '],
  ' aB3dE5gH7jK9mN1pQ3sT5vW7yZ9aB3dE5gH7jK9 ',
  ' 0a1b2c3d4e5f60718293a4b5c6d7e8f9 ',
  ...['\\n', '\\\\', '%25', '\\u0041', '\t', '\r', '=\n', '\u200b', '\u0430'],
  'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9aB3dE5gH7jK9\n',
  'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9aB3dE5gH7jK9\\n',
]

const repeated = (text: string, length: number) =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length)

function hostileUnits(keywords: readonly string[]): string[] {
  return keywords
    .flatMap((keyword) => hostileParts.map((part) => keyword + part))
    .filter((text) => text !== '')
}

/** A keyword in lower case, and the public prefix as it is written. */
function keywordsOf(rule: AnchoredRule | ShapeRule): string[] {
  if (!('keywords' in rule)) return [rule.words[0] ?? '']
  const escaped = /^\(\?:([^|)]*)/.exec(rule.pattern.source)?.[1]
  const prefix = escaped
    ?.replace(/\\x([\da-f]{2})/g, (_, code: string) => String.fromCharCode(Number(`0x${code}`)))
    .replaceAll('\\', '')
  return [rule.keywords[0] ?? '', ...(rule.isPrefixed && prefix ? [prefix] : [])]
}

function slowest(units: readonly string[], length: number, search: RuleSearch): number {
  return Math.max(
    ...units.map((unit) => {
      const hostile = repeated(unit, length)
      const run = () => void search(hostile)
      const best = bestMs(run, 2)
      return best < 4 ? best : Math.min(best, processorMs(run, 20))
    }),
  )
}

function printHostileRules(): void {
  const times = [
    ...anchoredRules.map((rule) => ({ rule, search: createRuleSearch([rule], []) })),
    ...shapeRules.map((rule) => ({ rule, search: createRuleSearch([], [rule]) })),
  ]
    .map(({ rule, search }) => ({
      type: rule.type,
      ms: slowest(hostileUnits(keywordsOf(rule)), 65_536, search),
    }))
    .toSorted((a, b) => b.ms - a.ms)
  const worst = times.slice(0, 5).map(({ type, ms }) => `${type} ${ms.toFixed(1)} ms`)
  console.log(
    `Hostile texts of 64 KB, per rule: ${worst.join(', ')} of ${times.length} rules (target < 5 ms)`,
  )
}

/** Tokens that are nested, broken and escaped, so that many rules see every part. */
const nested = [
  'glsoat-aB3dE5gH7jK9mN1pQ3sT5vW7yZ9aB3dE5gH7jK9\n%25~~\u200bfigo_xoxc-age-secret-key-1nfp_md-sb_secret_',
  'pscale_oauth_aB3dE5gH7jK9mN1pQ3sT5vW7y\\u0041aB3dE5gH7jK9\nsntryu_glpat-\u0430aA1-bB2_sqa_',
]

/** With all rules: the longest text that is scanned on the event loop, and whether the time grows with the length only. */
function printHostileTexts(): void {
  const units = [...nested, ...hostileUnits([...anchoredRules, ...shapeRules].flatMap(keywordsOf))]
  const timeOf = (unit: string, length: number, runs: number) => {
    const hostile = repeated(unit, length)
    return bestMs(() => void detect(hostile), runs)
  }
  const slowestUnits = units
    .map((unit) => ({ unit, ms: timeOf(unit, shortLength, 1) }))
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, 20)
    .map(({ unit }) => unit)
  const worst = Math.max(...slowestUnits.map((unit) => timeOf(unit, shortLength, 20)))
  console.log(
    `Hostile texts of ${shortLength / 1024} KB, the longest on the event loop: at most ${worst.toFixed(1)} ms of ${units.length} texts (target <= 20 ms)`,
  )
  const growths = slowestUnits.map((unit) => {
    const [short, long] = [repeated(unit, 65_536), repeated(unit, 8 * 65_536)]
    return processorMs(() => void detect(long), 3) / processorMs(() => void detect(short), 24)
  })
  console.log(
    `The 20 slowest of them, from 64 KB to 512 KB: at most ${Math.max(...growths).toFixed(1)} times as long (target < 12)`,
  )
}
