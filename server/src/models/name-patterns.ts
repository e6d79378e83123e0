import { TextTrie } from '../platform/text-trie.ts'

/*
 * Matches a name against many patterns in one pass (Aho-Corasick). A set of rules can have hundreds of patterns, and
 * senders choose the names: a pass for each pattern would be too expensive.
 */

interface SplitPattern {
  readonly index: number
  readonly first: string
  readonly last: string
  /** The sum of the lengths of all parts. */
  readonly shortest: number
  /** The parts between two wildcards, as states of the trie. */
  readonly parts: readonly number[]
}

/** A pattern that needs its next part at `from` or later. */
interface Candidate {
  readonly pattern: SplitPattern
  readonly part: number
  readonly from: number
}

/** In a pattern, `*` matches any characters. The search returns the indexes of the patterns that match a name. */
export function toPatternSearch(patterns: readonly string[]): (name: string) => number[] {
  const trie = new TextTrie()
  const splits = patterns
    .map((pattern, index) => splitPattern(pattern, index, trie))
    .sort((a, b) => a.first.length - b.first.length)
  trie.link()

  return (name) => {
    const matched: number[] = []
    /** By state. Most occurrences are of parts that no pattern waits for: they must cost next to nothing. */
    const isNeeded = new Uint8Array(trie.size())
    // Two queues for each state: a pattern can start further right than another one continues.
    const starting = new Map<number, CandidateQueue>()
    const continuing = new Map<number, CandidateQueue>()
    const wait = (waiting: Map<number, CandidateQueue>, candidate: Candidate) => {
      const { pattern, part, from } = candidate
      const state = pattern.parts[part]
      if (state === undefined) {
        if (from <= name.length - pattern.last.length) matched.push(pattern.index)
        return
      }
      isNeeded[state] = 1
      let queue = waiting.get(state)
      if (queue === undefined) {
        queue = new CandidateQueue()
        waiting.set(state, queue)
      }
      queue.add(candidate)
    }
    for (const pattern of splits) {
      const { first, last, shortest } = pattern
      if (name.length < shortest || !name.startsWith(first) || !name.endsWith(last)) continue
      wait(starting, { pattern, part: 0, from: first.length })
    }
    if (starting.size === 0) return matched
    trie.forEachOccurrence(name, (state, start, end) => {
      // The earliest occurrence of each part is the right one, because a `*` follows it.
      if (isNeeded[state] === 0) return
      isNeeded[state] = 0
      for (const waiting of [starting, continuing]) {
        const queue = waiting.get(state)
        if (queue === undefined) continue
        for (const { pattern, part } of queue.takeUntil(start)) {
          wait(continuing, { pattern, part: part + 1, from: end })
        }
        if (!queue.isEmpty()) isNeeded[state] = 1
      }
    })
    return matched
  }
}

function splitPattern(pattern: string, index: number, trie: TextTrie): SplitPattern {
  const [first = '', ...inner] = pattern.split('*')
  const last = inner.pop() ?? ''
  const parts = inner.filter((part) => part !== '')
  const shortest = [first, ...parts, last].join('').length
  return { index, first, last, shortest, parts: parts.map((part) => trie.add(part)) }
}

/** Candidates are added in ascending order of `from`, so those that have to wait are never visited. */
class CandidateQueue {
  readonly #candidates: Candidate[] = []
  #taken = 0

  add(candidate: Candidate): void {
    this.#candidates.push(candidate)
  }

  isEmpty(): boolean {
    return this.#taken === this.#candidates.length
  }

  takeUntil(start: number): Candidate[] {
    const before = this.#taken
    while ((this.#candidates[this.#taken]?.from ?? Infinity) <= start) this.#taken += 1
    return this.#candidates.slice(before, this.#taken)
  }
}
