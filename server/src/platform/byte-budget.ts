import { Unavailable } from './failure.ts'

/**
 * Limits the bytes that are held at once: in total, and for each owner, so that nobody can use up what others need. An
 * owner gets at most half of what the others leave, so however many hold their share, there is room for one more.
 */
export interface ByteBudget {
  /**
   * Takes `bytes` for an owner, or throws Unavailable. An owner that holds nothing may exceed its share with one item, and
   * anything is accepted while nobody holds anything. Give back what was taken.
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
      const room = (totalBytes - (held - own)) / 2
      const max = own === 0 ? room : Math.min(room, shareBytes)
      if (held > 0 && own + bytes > max) throw new Unavailable(refusal, 1)
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
