import { limits } from '@assay/contract/limits.ts'
import { termLengthMax, tokenize } from './words.ts'

/*
 * Finds words in UTF-8 bytes without decoding them to strings: almost all text is ASCII, and the index
 * scans every stored byte. Runs with other characters are passed to words.ts.
 */

export interface TermSink {
  /**
   * The UTF-8 bytes of a word. Words whose bytes are equal after `foldedByte` are the same word and have
   * the same hash.
   */
  take(hash: number, bytes: Uint8Array, start: number, end: number): void
}

/** Case-folds an ASCII byte; 0 for separators. Other bytes are unchanged. */
export const foldByte = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x80) return byte
  const character = String.fromCharCode(byte).toLowerCase()
  return /[a-z0-9]/.test(character) ? character.charCodeAt(0) : 0
})

const searchedLength = limits.searchedLength.value
const backslash = 0x5c
const letterU = 0x75
const escapeLength = 6
const firstHash = 0x811c9dc5
const hashPrime = 0x01000193

// A character has at most four bytes.
const wordBytes = Buffer.alloc(4 * termLengthMax)

/** The words of UTF-8 text; with `isJson`, of JSON text with its escapes decoded. */
export function tokenizeBytes(
  bytes: Buffer,
  from: number,
  to: number,
  isJson: boolean,
  sink: TermSink,
): void {
  // The limit is in characters: continuation bytes extend it.
  let end = Math.min(to, from + searchedLength)
  let at = from
  while (at < end) {
    if (foldByte[bytes[at]!] === 0) {
      if (!isJson || bytes[at] !== backslash) {
        at += 1
        continue
      }
      if (!isEscapedUnit(bytes, at, to)) {
        at += 2
        end = Math.min(to, end + 1)
        continue
      }
    }
    const start = at
    let hash = firstHash
    for (let folded = 0; at < end; at += 1) {
      folded = foldByte[bytes[at]!]!
      if (folded === 0 || folded >= 0x80) break
      hash = Math.imul(hash ^ folded, hashPrime)
    }
    if (!continuesRun(bytes, at, end, isJson)) {
      if (at - start <= termLengthMax && at > start) sink.take(hash, bytes, start, at)
      else if (at === start) at += 3
      continue
    }
    const run = readRun(bytes, start, to, isJson)
    tokenizeRun(run.text.slice(0, end - start), sink)
    at = run.end
    end = Math.min(to, end + (run.end - start - run.text.length))
  }
}

/** Whether the run continues after its ASCII part. */
function continuesRun(bytes: Buffer, at: number, end: number, isJson: boolean): boolean {
  if (at >= end) return false
  const byte = bytes[at]!
  if (byte < 0x80) return isJson && byte === backslash && isEscapedUnit(bytes, at, end)
  // U+2000 to U+203F: dashes, quotation marks and spaces, by far the most frequent.
  return byte !== 0xe2 || bytes[at + 1] !== 0x80
}

function isEscapedUnit(bytes: Buffer, at: number, to: number): boolean {
  return bytes[at + 1] === letterU && at + escapeLength <= to
}

/** The text from here to the next ASCII separator. */
function readRun(bytes: Buffer, start: number, to: number, isJson: boolean) {
  let text = ''
  let at = start
  let segmentStart = start
  while (at < to) {
    if (foldByte[bytes[at]!] !== 0) {
      at += 1
      continue
    }
    if (!isJson || bytes[at] !== backslash || !isEscapedUnit(bytes, at, to)) break
    text += bytes.toString('utf8', segmentStart, at)
    const unit = Number.parseInt(bytes.toString('latin1', at + 2, at + escapeLength), 16)
    text += String.fromCharCode(unit)
    at += escapeLength
    segmentStart = at
    if (foldByte[unit] === 0) break
  }
  return { text: text + bytes.toString('utf8', segmentStart, at), end: at }
}

function tokenizeRun(run: string, sink: TermSink): void {
  for (const word of tokenize(run)) {
    const bytes = wordBytes.write(word)
    let hash = firstHash
    for (let at = 0; at < bytes; at += 1) {
      hash = Math.imul(hash ^ foldByte[wordBytes[at]!]!, hashPrime)
    }
    sink.take(hash, wordBytes, 0, bytes)
  }
}
