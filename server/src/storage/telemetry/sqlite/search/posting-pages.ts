import { compareBytes } from './posting-lists.ts'

/*
 * The encoding of words and their docs: pages of about the page size of the file, each with some words in
 * byte order. A word is its length, its text, the length of its docs, and a bit for the shorter of two
 * encodings of the docs: the differences between them, or a bitmap.
 */

const pageBytes = 7900

export interface PageWriter {
  /** Words and docs in ascending order. */
  add(word: Uint8Array, docs: Int32Array): void
  end(): void
}

/** `docRange`: the exclusive upper bound of docs. `put` owns what it is passed. */
export function writePages(
  docRange: number,
  put: (firstWord: Uint8Array, page: Uint8Array) => void,
): PageWriter {
  let page = new Uint8Array(2 * pageBytes)
  let used = 0
  let first: Uint8Array | undefined
  const end = () => {
    if (first !== undefined) put(first, page.slice(0, used))
    first = undefined
    used = 0
  }
  return {
    add(word, docs) {
      const stepBytes = bytesOfSteps(docs)
      const bitBytes = (docRange + 7) >> 3
      const docBytes = Math.min(stepBytes, bitBytes)
      const maxBytes = word.length + docBytes + 10
      if (used + maxBytes > pageBytes) end()
      if (maxBytes > page.length) page = new Uint8Array(2 * maxBytes)
      first ??= Uint8Array.from(word)
      used = writeNumber(page, used, word.length)
      page.set(word, used)
      used = writeNumber(page, used + word.length, docBytes * 2 + (bitBytes < stepBytes ? 1 : 0))
      if (bitBytes < stepBytes) writeBits(page, used, bitBytes, docs)
      else writeSteps(page, used, docs)
      used += docBytes
    },
    end,
  }
}

function bytesOfSteps(docs: Int32Array): number {
  let bytes = 0
  let last = -1
  for (const doc of docs) {
    const step = doc - last
    bytes += step < 0x80 ? 1 : step < 0x4000 ? 2 : step < 0x20_0000 ? 3 : 4
    last = doc
  }
  return bytes
}

function writeSteps(page: Uint8Array, at: number, docs: Int32Array): void {
  let to = at
  let last = -1
  for (const doc of docs) {
    to = writeNumber(page, to, doc - last)
    last = doc
  }
}

function writeBits(page: Uint8Array, at: number, bytes: number, docs: Int32Array): void {
  page.fill(0, at, at + bytes)
  for (const doc of docs) page[at + (doc >> 3)]! |= 1 << (doc & 7)
}

function writeNumber(page: Uint8Array, at: number, value: number): number {
  let to = at
  let rest = value
  for (; rest >= 0x80; rest >>>= 7) page[to++] = (rest & 0x7f) | 0x80
  page[to++] = rest
  return to
}

/** Iterates over the words of a page. */
export interface PageReader {
  /** Moves to the next word; false after the last. */
  next(): boolean
  readonly word: Uint8Array
  /** Calls `take` with the docs of the word, ascending. */
  eachDoc(take: (doc: number) => void): void
}

export function readPage(page: Uint8Array): PageReader {
  let at = 0
  let word = page.subarray(0, 0)
  let isBits = false
  let end = 0
  const number = () => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      // A number also ends at the end of a damaged page.
      const byte = page[at++] ?? 0
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value >>> 0
    }
  }
  return {
    get word() {
      return word
    },
    next() {
      at = end
      if (at >= page.length) return false
      const length = number()
      word = page.subarray(at, at + length)
      at += length
      const head = number()
      isBits = (head & 1) === 1
      end = Math.min(at + (head >>> 1), page.length)
      return true
    },
    eachDoc(take) {
      const start = at
      if (isBits) {
        for (let from = start; from < end; from += 1) {
          for (let bits = page[from]!; bits !== 0; bits &= bits - 1) {
            take((from - start) * 8 + 31 - Math.clz32(bits & -bits))
          }
        }
        return
      }
      for (let doc = -1; at < end; ) {
        doc += number()
        take(doc)
      }
      at = start
    },
  }
}

/** Calls `take` with the docs of the word, or of all words with the prefix, from consecutive pages. */
export function readPostings(
  pages: Iterable<Uint8Array>,
  word: Uint8Array,
  isPrefix: boolean,
  take: (doc: number) => void,
): void {
  for (const page of pages) {
    const reader = readPage(page)
    while (reader.next()) {
      const order = compareBytes(reader.word, word)
      if (order === 0) {
        reader.eachDoc(take)
        if (!isPrefix) return
      } else if (order > 0) {
        if (!isPrefix || !hasPrefix(reader.word, word)) return
        reader.eachDoc(take)
      }
    }
  }
}

function hasPrefix(word: Uint8Array, prefix: Uint8Array): boolean {
  return compareBytes(word.subarray(0, prefix.length), prefix) === 0
}
