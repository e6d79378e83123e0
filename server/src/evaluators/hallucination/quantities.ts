/*
 * Numbers, percentages, dates and times of day in a text, each in one form.
 */

export interface Quantity {
  readonly kind: 'number' | 'percent' | 'date' | 'time'
  readonly value: number
  /** Half of the last written digit: 1.2 stands for 1.15 to 1.25. 0 for dates and times. */
  readonly tolerance: number
  /** Of the text, in UTF-16 units. */
  readonly start: number
  readonly end: number
}

const lengthMax = 100_000

/** In order. Numbers that are part of a word, a version or a code are left out. */
export function findQuantities(text: string): readonly Quantity[] {
  const read = text.slice(0, lengthMax)
  const dates = findDates(read)
  const rest = blanked(read, dates)
  const times = findTimes(rest)
  const numbers = findNumbers(blanked(rest, times))
  return [...dates, ...times, ...numbers].sort((a, b) => a.start - b.start)
}

function blanked(text: string, parts: readonly { start: number; end: number }[]): string {
  const pieces: string[] = []
  let at = 0
  for (const { start, end } of parts) {
    pieces.push(text.slice(at, start), ' '.repeat(end - start))
    at = end
  }
  return [...pieces, text.slice(at)].join('')
}

const monthNames = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const month =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const day = String.raw`(\d{1,2})(?:st|nd|rd|th)?`
const year = String.raw`(?:,?[ \t]{1,2}(\d{4}))?`

const isoDate = /(?<![\d.-])(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?![\d-])/g
const monthFirst = new RegExp(String.raw`\b${month}\.?[ \t]{1,2}${day}\b${year}`, 'gi')
const dayFirst = new RegExp(String.raw`\b${day}\.?[ \t]{1,2}(?:of[ \t])?${month}\b\.?${year}`, 'gi')
const numericDate = /(?<![\d./-])(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?![\d/-])/g

/** As year * 10,000 + month * 100 + day; the year is 0 when it is not written. */
function findDates(text: string): Quantity[] {
  const found: Quantity[] = []
  const add = (match: RegExpExecArray, [y, m, d]: readonly number[]) => {
    if (y === undefined || m === undefined || d === undefined) return
    if (m < 1 || m > 12 || d < 1 || d > 31) return
    const value = y * 10_000 + m * 100 + d
    const [start, end] = [match.index, match.index + match[0].length]
    found.push({ kind: 'date', value, tolerance: 0, start, end })
  }
  for (const match of text.matchAll(isoDate)) add(match, match.slice(1).map(Number))
  for (const match of text.matchAll(monthFirst)) {
    const [, name = '', d, y] = match
    add(match, [Number(y ?? 0), monthNumber(name), Number(d)])
  }
  for (const match of text.matchAll(dayFirst)) {
    const [, d, name = '', y] = match
    add(match, [Number(y ?? 0), monthNumber(name), Number(d)])
  }
  for (const match of text.matchAll(numericDate)) {
    const [, first, separator, second, y] = match
    // 3/4/2026 is March 4 in the United States; 3.4.2026 is April 3 elsewhere.
    const isMonthFirst = separator === '/' && Number(first) <= 12
    const [m, d] = isMonthFirst ? [first, second] : [second, first]
    add(match, [Number(y), Number(m), Number(d)])
  }
  return withoutOverlaps(found)
}

function monthNumber(name: string): number {
  return monthNames.indexOf(name.slice(0, 3).toLowerCase()) + 1
}

function withoutOverlaps(found: readonly Quantity[]): Quantity[] {
  const kept: Quantity[] = []
  for (const one of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (one.start >= (kept.at(-1)?.end ?? 0)) kept.push(one)
  }
  return kept
}

const timePattern =
  /(?<![\d:.])(\d{1,2})(?::(\d{2})(?::\d{2}(?:\.\d{1,9})?)?(?:[ \t]?([ap])\.?m\b)?|[ \t]?([ap])\.?m\b)(?![:\d])/gi

/** In minutes after midnight. */
function findTimes(text: string): Quantity[] {
  const found: Quantity[] = []
  for (const match of text.matchAll(timePattern)) {
    const [, hours, minutes = '0', half] = match
    const suffix = (half ?? match[4])?.toLowerCase()
    const hour = (Number(hours) % (suffix === undefined ? 24 : 12)) + (suffix === 'p' ? 12 : 0)
    const [start, end] = [match.index, match.index + match[0].length]
    found.push({ kind: 'time', value: hour * 60 + Number(minutes), tolerance: 0, start, end })
  }
  return found
}

const scales: Readonly<Record<string, number>> = {
  ...{ k: 1e3, thousand: 1e3, m: 1e6, mio: 1e6, million: 1e6, millions: 1e6 },
  ...{ b: 1e9, bn: 1e9, billion: 1e9, billions: 1e9, trillion: 1e12 },
}

const numberPattern =
  /(?<![\p{L}\d_#@/\\])(?<!\p{L}[-.:]|\d[.:]|-\d{1,9}-)([-−]?)(\d{1,3}(?:[,' \u00a0\u202f]\d{3})+(?:\.\d{1,12})?|\d{1,3}(?:\.\d{3}){2,5}(?:,\d{1,2})?|\d{1,18}(?:[.,]\d{1,12})?)(?:[ \t\u00a0]?(%|percent\b)|[ \t]?(k|mio|million|millions|bn|billion|billions|trillion|thousand)\b|([mb])(?![\p{L}\d]))?(?![\d_@]|[.:]\d|-\p{L}|-\d{1,9}-)/giu

function findNumbers(text: string): Quantity[] {
  const found: Quantity[] = []
  for (const match of text.matchAll(numberPattern)) {
    const [whole, sign = '', digits = '', percent, scale, letter] = match
    const start = match.index
    const end = start + whole.length
    const hasSuffix = (percent ?? scale ?? letter) !== undefined
    if ((!hasSuffix && isPartOfWord(text, end)) || isInCode(text, start, end)) continue
    const factor = scales[(scale ?? letter ?? '').toLowerCase()] ?? 1
    const { value, decimals } = parseDigits(digits)
    const negative =
      sign === '' || /[\d)]\s?$/.test(text.slice(Math.max(0, start - 2), start)) ? 1 : -1
    found.push({
      kind: percent === undefined ? 'number' : 'percent',
      value: negative * value * factor,
      tolerance: (factor * 10 ** -decimals) / 2,
      start,
      end,
    })
  }
  return found
}

/** `2x` and `20km` are values; `2nd` and `3D` are words. */
function isPartOfWord(text: string, end: number): boolean {
  return /^\p{L}/u.test(text.slice(end, end + 2)) && !isUnit(text.slice(end, end + 8))
}

/** In the middle of a phone number or code: `555-123-4567`. */
function isInCode(text: string, start: number, end: number): boolean {
  return (
    /\d-$/.test(text.slice(Math.max(0, start - 2), start)) && /^-\d/.test(text.slice(end, end + 2))
  )
}

/** Units that are written without a space. */
function isUnit(after: string): boolean {
  return /^(?:°|[kmgtc]?b|[kmc]?m|k?g|mg|lbs?|oz|ml|l|h|hrs?|min|s|sec|ms|[kmg]?hz|k?w|kwh|px|x|c|f|usd|eur|km\/h|mph|in|ft)(?![\p{L}\d])/iu.test(
    after,
  )
}

/** `1,234.5`, `1 234,5`, `1.234.567`, `3,14`. */
function parseDigits(digits: string): { readonly value: number; readonly decimals: number } {
  const plain = digits.replace(/[' \u00a0\u202f]/g, '')
  const isGrouped = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(plain)
  const isContinental = /^\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?$/.test(plain)
  const written = isGrouped
    ? plain.replaceAll(',', '')
    : (isContinental ? plain.replaceAll('.', '') : plain).replace(',', '.')
  return { value: Number(written), decimals: written.split('.')[1]?.length ?? 0 }
}
