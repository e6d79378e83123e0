import { foldByte, type TermSink } from '../../byte-words.ts'

/*
 * Posting lists of some docs, collected in memory. They are stored in a few typed arrays, because a span
 * has hundreds of words and tens of thousands of spans arrive per second.
 */

export interface PostingLists extends TermSink {
  /** Words added from here on belong to the next doc. */
  beginDoc(): void
  readonly docCount: number
  /** Whether it has reached the size of one write. */
  readonly isFull: boolean
  /**
   * Each word once, in byte order, with its docs in ascending order. The arguments are valid until the next
   * call.
   */
  forEach(put: (word: Uint8Array, docs: Int32Array) => void): void
  /** Clears the lists and keeps their memory. */
  clear(): void
}

const termsPerDoc = 10_000
const fullDocs = 16_384
const fullEntries = 4 * 1024 * 1024
const fullBytes = 16 * 1024 * 1024

export function collectPostings(): PostingLists {
  const words = createTermTable()
  /** The numbers of the words of each doc, doc after doc. */
  let entries = new Int32Array(64 * 1024)
  let entryCount = 0
  let docEnds = new Int32Array(1024)
  let docCount = 0
  let termsInDoc = 0

  return {
    get docCount() {
      return docCount
    },
    get isFull() {
      return docCount >= fullDocs || entryCount >= fullEntries || words.bytes >= fullBytes
    },
    beginDoc() {
      if (docCount === docEnds.length) docEnds = doubled(docEnds)
      docCount += 1
      docEnds[docCount - 1] = entryCount
      termsInDoc = 0
    },
    take(hash, bytes, start, end) {
      if (termsInDoc === termsPerDoc) return
      const word = words.find(hash, bytes, start, end)
      if (!words.isNewIn(docCount, word)) return
      if (entryCount === entries.length) entries = doubled(entries)
      entries[entryCount++] = word
      docEnds[docCount - 1] = entryCount
      termsInDoc += 1
    },
    forEach(put) {
      const { ends, docs } = postingsByTerm(words, entries, docEnds, docCount, entryCount)
      for (const word of words.sorted()) {
        put(words.text(word), docs.subarray(word === 0 ? 0 : ends[word - 1], ends[word]))
      }
    },
    clear() {
      words.clear()
      entryCount = 0
      docCount = 0
    },
  }
}

/** A counting sort: the docs of each word are adjacent, those of the first word first. */
function postingsByTerm(
  words: TermTable,
  entries: Int32Array,
  docEnds: Int32Array,
  docCount: number,
  entryCount: number,
) {
  const ends = new Int32Array(words.count)
  let sum = 0
  for (let word = 0; word < words.count; word += 1) {
    ends[word] = sum
    sum += words.countDocs(word)
  }
  const docs = new Int32Array(entryCount)
  let at = 0
  for (let doc = 0; doc < docCount; doc += 1) {
    for (const end = docEnds[doc]!; at < end; at += 1) docs[ends[entries[at]!]!++] = doc
  }
  return { ends, docs }
}

interface TermTable {
  readonly count: number
  readonly bytes: number
  find(hash: number, bytes: Uint8Array, start: number, end: number): number
  /** True on the first call for a word in a doc; then counts the doc. */
  isNewIn(doc: number, word: number): boolean
  countDocs(word: number): number
  text(word: number): Uint8Array
  sorted(): Int32Array
  clear(): void
}

// Per word, in adjacent elements: its hash, the start of its text, its last doc, and its number of docs.
const rowSize = 4
const startOffset = 1
const lastDocOffset = 2
const docCountOffset = 3

/** Numbers the words from 0. */
function createTermTable(): TermTable {
  let texts = new Uint8Array(64 * 1024)
  let textBytes = 0
  // One row more than words, for the end of the last text.
  let rows = new Int32Array(8 * 1024 * rowSize)
  let count = 0
  /** By hash, the number of the word plus one. */
  let slots = new Int32Array(32 * 1024)

  const isAt = (row: number, bytes: Uint8Array, start: number, end: number) => {
    let at = rows[row + startOffset]!
    if (rows[row + rowSize + startOffset]! - at !== end - start) return false
    for (let from = start; from < end; from += 1, at += 1) {
      if (foldByte[bytes[from]!] !== texts[at]) return false
    }
    return true
  }
  const add = (hash: number, bytes: Uint8Array, start: number, end: number) => {
    while (textBytes + end - start > texts.length) texts = doubled(texts)
    if ((count + 2) * rowSize > rows.length) rows = doubled(rows)
    for (let from = start; from < end; from += 1) texts[textBytes++] = foldByte[bytes[from]!]!
    const row = count * rowSize
    rows[row] = hash
    rows[row + lastDocOffset] = 0
    rows[row + docCountOffset] = 0
    rows[row + rowSize + startOffset] = textBytes
    count += 1
    if (2 * count > slots.length) slots = rehash(rows, count, 2 * slots.length)
    return count - 1
  }
  return {
    get count() {
      return count
    },
    get bytes() {
      return textBytes
    },
    find(hash, bytes, start, end) {
      const mask = slots.length - 1
      for (let slot = spread(hash) & mask; ; slot = (slot + 1) & mask) {
        const word = slots[slot]! - 1
        if (word === -1) {
          slots[slot] = count + 1
          return add(hash, bytes, start, end)
        }
        const row = word * rowSize
        if (rows[row] === hash && isAt(row, bytes, start, end)) return word
      }
    },
    isNewIn(doc, word) {
      const row = word * rowSize
      if (rows[row + lastDocOffset] === doc) return false
      rows[row + lastDocOffset] = doc
      rows[row + docCountOffset]! += 1
      return true
    },
    countDocs: (word) => rows[word * rowSize + docCountOffset]!,
    text: (word) => wordText(texts, rows, word),
    sorted: () => sortTerms(texts, rows, count),
    clear() {
      textBytes = 0
      count = 0
      slots.fill(0)
    },
  }
}

function wordText(texts: Uint8Array, rows: Int32Array, word: number): Uint8Array {
  return texts.subarray(
    rows[word * rowSize + startOffset],
    rows[(word + 1) * rowSize + startOffset],
  )
}

/** Rehashes all words into a table of twice the size. */
function rehash(rows: Int32Array, count: number, length: number): Int32Array<ArrayBuffer> {
  const slots = new Int32Array(length)
  const mask = length - 1
  for (let word = 0; word < count; word += 1) {
    let slot = spread(rows[word * rowSize]!) & mask
    while (slots[slot] !== 0) slot = (slot + 1) & mask
    slots[slot] = word + 1
  }
  return slots
}

/** The low bits of the hashes of short words are too similar. */
function spread(hash: number): number {
  return hash ^ (hash >>> 15)
}

function sortTerms(texts: Uint8Array, rows: Int32Array, count: number): Int32Array {
  // The first six bytes of each word as a number, which is usually enough to compare two.
  const prefixes = new Float64Array(count)
  for (let word = 0; word < count; word += 1) {
    let prefix = 0
    const end = rows[(word + 1) * rowSize + startOffset]!
    for (let at = rows[word * rowSize + startOffset]!, to = at + 6; at < to; at += 1) {
      prefix = prefix * 256 + (at < end ? texts[at]! : 0)
    }
    prefixes[word] = prefix
  }
  return Int32Array.from({ length: count }, (_, word) => word).sort(
    (a, b) =>
      prefixes[a]! - prefixes[b]! ||
      compareBytes(wordText(texts, rows, a), wordText(texts, rows, b)),
  )
}

/** Negative, 0 or positive; the order of blobs in SQLite. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  return Buffer.compare(a, b)
}

function doubled<T extends Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>>(array: T): T {
  const larger = new (array.constructor as new (length: number) => T)(2 * array.length)
  larger.set(array)
  return larger
}
