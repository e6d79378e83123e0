/*
 * Finds every occurrence of many texts in one pass (Aho-Corasick): the cost depends on the length of the searched text,
 * not on the number of texts.
 */

/** A set of texts. Add all of them, call `link` once, then search. */
export class TextTrie {
  /** The next state by state and character. State 0 is the empty text. */
  readonly #next = new Map<number, number>()
  readonly #parents = [{ parent: 0, code: 0, depth: 0 }]
  readonly #texts = new Set<number>()
  /** By state: the longest proper suffix that is a state, and the longest that is one of the texts, or 0. */
  readonly #suffix = [0]
  readonly #suffixText = [0]
  /** By state: the state itself if it is one of the texts, else the longest suffix that is. */
  readonly #longestText = [0]
  /** The next states by ASCII character, for the states that most characters of a text lead to. */
  readonly #rows: (Uint32Array | undefined)[] = []

  /** The number of states. */
  size(): number {
    return this.#parents.length
  }

  /** Returns the state that identifies the text in `forEachOccurrence`. */
  add(text: string): number {
    let state = 0
    for (let i = 0; i < text.length; i += 1) {
      const code = text.charCodeAt(i)
      const key = toKey(state, code)
      let next = this.#next.get(key)
      if (next === undefined) {
        next = this.#parents.length
        this.#next.set(key, next)
        this.#parents.push({ parent: state, code, depth: i + 1 })
      }
      state = next
    }
    this.#texts.add(state)
    return state
  }

  /** Call it once, after all texts are added. */
  link(): void {
    const byDepth = [...this.#parents.entries()].sort(([, a], [, b]) => a.depth - b.depth)
    for (const [state, { parent, code, depth }] of byDepth) {
      const suffix = depth <= 1 ? 0 : this.#step(this.#suffix[parent] ?? 0, code)
      this.#suffix[state] = suffix
      this.#suffixText[state] = this.#longestText[suffix] ?? 0
      this.#longestText[state] = this.#texts.has(state) ? state : (this.#suffixText[state] ?? 0)
    }
    for (const [state, { depth }] of byDepth) {
      if (depth > 1) break
      this.#rows[state] = Uint32Array.from({ length: 128 }, (_, code) => this.#step(state, code))
    }
  }

  forEachOccurrence(
    searched: string,
    visit: (state: number, start: number, end: number) => void,
  ): void {
    let state = 0
    for (let end = 1; end <= searched.length; end += 1) {
      state = this.#step(state, searched.charCodeAt(end - 1))
      let found = this.#longestText[state] ?? 0
      while (found !== 0) {
        visit(found, end - (this.#parents[found]?.depth ?? 0), end)
        found = this.#suffixText[found] ?? 0
      }
    }
  }

  #step(from: number, code: number): number {
    for (let state = from; ; state = this.#suffix[state] ?? 0) {
      const known = code < 128 ? this.#rows[state]?.[code] : undefined
      if (known !== undefined) return known
      const next = this.#next.get(toKey(state, code))
      if (next !== undefined) return next
      if (state === 0) return 0
    }
  }
}

function toKey(state: number, code: number): number {
  return state * 65_536 + code
}
