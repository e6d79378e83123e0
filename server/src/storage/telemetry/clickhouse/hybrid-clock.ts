import { randomInt } from 'node:crypto'
import type { Instant } from '../../../domain/instant.ts'

/*
 * Versions of rows: a hybrid logical clock (Kulkarni et al., "Logical Physical Clocks", 2014). Of two rows with one key
 * the one with the larger version counts, so that versions of one process never repeat or decrease, also when its clock
 * is set back, and those of several processes hardly ever. Processes do not adopt the versions of others, so that their clocks
 * must agree (server-clock.ts).
 */

/** 41 bits of milliseconds since 2020, 10 bits of a counter, 12 bits of the process: 63 in all. */
const counterBits = 10n
export const nodeBits = 12n
const epochMs = 1_577_836_800_000n
/** Numbers that no process has. Each re-pricing of a span takes the next one for its row. */
const repricingMax = 256

export type NextVersion = (now: Instant) => bigint

export function openHybridClock(
  node = randomInt(2 ** Number(nodeBits) - repricingMax),
): NextVersion {
  let last = 0n
  return (now) => {
    const elapsed = (now / 1_000_000n - epochMs) << counterBits
    last = elapsed > last ? elapsed : last + 1n
    return (last << nodeBits) | BigInt(node)
  }
}

/** Whether a row with one version is a row with the other one that was priced again, or the same. */
export function isSameRecording(one: bigint, other: bigint): boolean {
  return one >> nodeBits === other >> nodeBits
}
