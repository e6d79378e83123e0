/*
 * When the text so far of a reply is stored: often only for somebody who reads it in another process.
 */

export interface StoreLimits {
  /** Keeps the lease. */
  readonly renewMs: number
  /** While it is read elsewhere. Longer for a long text, all of which is stored each time. */
  readonly readElsewhereMs: number
  /** While other processes can send nothing, neither that they read nor that they stop it. */
  readonly disconnectedMs: number
  /** After one that failed. */
  readonly retryMs: number
}

export interface StoreTimes {
  /** Somebody reads it elsewhere, now and for some seconds. */
  readElsewhere(): void
  isReadElsewhere(): boolean
  /** With the length of the text. True: it is to be stored now. */
  isDue(length: number, isConnected: boolean): boolean
  /** It could not be stored, and the lease was not renewed. */
  failed(): void
}

const rememberedMs = 6_000
/** So that at most 100,000 characters are stored each second: a text of so many within one. */
const lengthPerMs = 100

export function openStoreTimes(limits: StoreLimits): StoreTimes {
  let storedAt = performance.now()
  let storedLength = 0
  let readAt = Number.NEGATIVE_INFINITY
  let hasFailed = false
  const isReadElsewhere = () => performance.now() - readAt < rememberedMs
  const everyMs = (length: number, isConnected: boolean) => {
    if (hasFailed) return Math.min(limits.retryMs, limits.renewMs)
    if (!isConnected) return Math.min(limits.disconnectedMs, limits.renewMs)
    if (!isReadElsewhere() || length === storedLength) return limits.renewMs
    return Math.min(Math.max(limits.readElsewhereMs, length / lengthPerMs), limits.renewMs)
  }
  return {
    readElsewhere() {
      readAt = performance.now()
    },
    isReadElsewhere,
    isDue(length, isConnected) {
      if (performance.now() - storedAt < everyMs(length, isConnected)) return false
      storedAt = performance.now()
      storedLength = length
      hasFailed = false
      return true
    },
    failed() {
      hasFailed = true
    },
  }
}
