import { Unavailable } from './failure.ts'

/**
 * Limits the bytes that are held at once: in total, and for each owner, so that nobody can use up what others need.
 */
export interface ByteBudget {
  /**
   * Takes `bytes` for an owner, or throws Unavailable. One item is always accepted, even a larger one, when its
   * owner holds nothing, or nobody does. Give back what was taken.
   */
  take(owner: string, bytes: number): void
  release(owner: string, bytes: number): void
}

export interface ByteBudgetOptions {
  readonly totalBytes: number
  /** The maximum for one owner. */
  readonly shareBytes: number
  /** Explains the refusal to the caller. */
  readonly refusal: string
}

export function byteBudget({ totalBytes, shareBytes, refusal }: ByteBudgetOptions): ByteBudget {
  const heldBy = new Map<string, number>()
  let held = 0
  return {
    take(owner, bytes) {
      const own = heldBy.get(owner) ?? 0
      const isOverShare = own > 0 && own + bytes > shareBytes
      const isOverTotal = held > 0 && held + bytes > totalBytes
      if (isOverShare || isOverTotal) throw new Unavailable(refusal, 1)
      heldBy.set(owner, own + bytes)
      held += bytes
    },
    release(owner, bytes) {
      const rest = (heldBy.get(owner) ?? 0) - bytes
      if (rest > 0) heldBy.set(owner, rest)
      else heldBy.delete(owner)
      held -= bytes
    },
  }
}
