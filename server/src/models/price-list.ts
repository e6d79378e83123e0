import {
  type ConditionalPrice,
  type MatchLogic,
  type ModelInfo,
  type ModelPrice,
  type Provider,
  waitForUpdate,
} from '@pydantic/genai-prices'
import { isVariant } from './name-variants.ts'
import { supplementaryRows } from './supplementary-rows.ts'
import { type RateCard, type ScheduledCard, type TokenPrices, toRates } from './token-rates.ts'

/*
 * The price list: the data bundled with genai-prices, never fetched. Its own matching is not used, because
 * it matches prefixes, so that the next model generation would be billed as the previous one.
 */

/** The bundled release and the date of its data, used for prices without a date. */
export const listVersion = '0.1.8'
export const listDate = '2026-09-23'

export interface ListedModel {
  /** The billing provider: `anthropic`, `aws`, `openrouter` and so on. */
  readonly provider: string
  readonly model: string
  /** In tokens; null if unknown. */
  readonly contextWindow: number | null
  readonly schedule: readonly ScheduledCard[]
}

interface ListedProvider {
  readonly byName: ReadonlyMap<string, PlacedModel>
  readonly patterns: readonly Pattern[]
  /** Vendors whose models it sells at the vendor's price. */
  readonly alsoOffers: readonly string[]
}

/** The first match wins. */
interface PlacedModel {
  readonly place: number
  readonly listed: ListedModel
}

interface Pattern extends PlacedModel {
  readonly fits: (name: string) => boolean
}

// Resolves at once with the bundled data: fetching is not configured.
const bundled = new Map(((await waitForUpdate()) ?? []).map((one) => [one.id, one]))

/** Parsed on first use. */
const read = new Map<string, ListedProvider>()

function findProvider(id: string): ListedProvider | undefined {
  const known = read.get(id)
  if (known !== undefined) return known
  const provider = bundled.get(id)
  if (provider === undefined) return undefined
  const listed = readProvider(provider)
  read.set(id, listed)
  return listed
}

/** The provider's model by name, in lower case; undefined if it is not listed. */
export function findListed(provider: string, name: string): ListedModel | undefined {
  const listed = findProvider(provider)
  if (listed === undefined) return undefined
  const own = findOwn(listed, name)
  if (own !== undefined) return own
  for (const other of listed.alsoOffers) {
    const offered = findProvider(other)
    const found = offered && findOwn(offered, name)
    if (found !== undefined) return found
  }
  return undefined
}

function findOwn({ byName, patterns }: ListedProvider, name: string): ListedModel | undefined {
  const exact = byName.get(name)
  for (const { place, listed, fits } of patterns) {
    if (exact !== undefined && exact.place < place) break
    if (fits(name)) return listed
  }
  return exact?.listed
}

function readProvider({
  id,
  models,
  fallback_model_providers: alsoOffers = [],
}: Provider): ListedProvider {
  const byName = new Map<string, PlacedModel>()
  const patterns: Pattern[] = []
  const rows = [...(supplementaryRows[id] ?? []), ...models]
  for (const [place, row] of rows.entries()) {
    const contextWindow = row.context_window ?? null
    const listed = { provider: id, model: row.id, contextWindow, schedule: toSchedule(row) }
    for (const clause of [...listClauses(row.match), { equals: row.id }]) {
      if ('equals' in clause) {
        const name = clause.equals.toLowerCase()
        if (!byName.has(name)) byName.set(name, { place, listed })
      } else {
        patterns.push({ place, listed, fits: toMatcher(clause) })
      }
    }
  }
  return { byName, patterns, alsoOffers }
}

function listClauses(match: MatchLogic): MatchLogic[] {
  return 'or' in match ? match.or.flatMap(listClauses) : [match]
}

/** Text beyond the pattern may be a date or version, but nothing that makes it another model. */
function toMatcher(clause: MatchLogic): (name: string) => boolean {
  if ('and' in clause) {
    const fits = clause.and.map(toMatcher)
    return (name) => fits.every((fit) => fit(name))
  }
  if ('or' in clause) {
    const fits = clause.or.map(toMatcher)
    return (name) => fits.some((fit) => fit(name))
  }
  if ('regex' in clause) {
    const pattern = new RegExp(clause.regex, 'i')
    return (name) => pattern.test(name)
  }
  if ('equals' in clause) {
    const whole = clause.equals.toLowerCase()
    return (name) => name === whole
  }
  const [part, findIndex] = matchedPart(clause)
  return (name) => {
    const start = findIndex(name)
    return start !== -1 && isVariant(name, start, start + part.length)
  }
}

type PartClause = Extract<
  MatchLogic,
  { starts_with: string } | { ends_with: string } | { contains: string }
>

function matchedPart(clause: PartClause): [part: string, findIndex: (name: string) => number] {
  if ('starts_with' in clause) {
    const part = clause.starts_with.toLowerCase()
    return [part, (name) => (name.startsWith(part) ? 0 : -1)]
  }
  if ('ends_with' in clause) {
    const part = clause.ends_with.toLowerCase()
    return [part, (name) => (name.endsWith(part) ? name.length - part.length : -1)]
  }
  const part = clause.contains.toLowerCase()
  return [part, (name) => name.indexOf(part)]
}

function toSchedule({ id, prices }: ModelInfo): ScheduledCard[] {
  const all: readonly ConditionalPrice[] = Array.isArray(prices) ? prices : [{ prices }]
  // A model that is free by name is priced 0; any other without a price is unknown.
  const isFree = id.endsWith(':free')
  return all.map(({ prices: price, constraint }) => {
    const card = isFree && Object.keys(price).length === 0 ? freeCard : toCard(price)
    if (constraint === undefined) return { card, date: listDate }
    if (constraint.type === 'start_date') {
      const { start_date: date } = constraint
      return { card, date, condition: { fromMs: Date.parse(date) } }
    }
    const { start_time, end_time } = constraint
    const condition = { fromSecond: toSecond(start_time), toSecond: toSecond(end_time) }
    return { card, date: listDate, condition }
  })
}

const freeCard: RateCard = { base: toRates({ input: 0 }), long: [] }

/** Seconds of `16:30:00Z`. */
function toSecond(time: string): number {
  return Date.parse(`1970-01-01T${time}`) / 1000
}

const unitKeys = {
  input: 'input_mtok',
  cacheRead: 'cache_read_mtok',
  cacheWrite: 'cache_write_mtok',
  cacheWrite1h: 'cache_write_1h_mtok',
  output: 'output_mtok',
} as const satisfies Partial<Record<keyof TokenPrices, string>>

function toCard(price: ModelPrice): RateCard | null {
  const starts = new Set<number>()
  for (const value of Object.values(price)) {
    if (typeof value === 'object') for (const { start } of value.tiers) starts.add(start)
  }
  const base = pricesAt(price, 0)
  if (base === undefined) return null
  const long = [...starts].sort((a, b) => a - b)
  return {
    base: toRates(base),
    long: long.map((above) => ({ above, rates: toRates(pricesAt(price, above + 1) ?? base) })),
  }
}

function pricesAt(price: ModelPrice, inputTokens: number): TokenPrices | undefined {
  const at = (key: string): number | undefined => {
    const value = price[key]
    if (typeof value !== 'object') return value
    const tier = value.tiers
      .toSorted((a, b) => b.start - a.start)
      .find(({ start }) => inputTokens > start)
    return tier?.price ?? value.base
  }
  const input = at(unitKeys.input)
  if (input === undefined) return undefined
  const perThousandRequests = at('requests_kcount')
  return {
    input,
    cacheRead: at(unitKeys.cacheRead),
    cacheWrite: at(unitKeys.cacheWrite),
    cacheWrite1h: at(unitKeys.cacheWrite1h),
    output: at(unitKeys.output),
    request: perThousandRequests === undefined ? undefined : perThousandRequests / 1000,
  }
}
