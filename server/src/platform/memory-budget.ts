import { totalmem } from 'node:os'

/*
 * Limits of queues, caches and heaps are written for two gibibytes of memory, and lowered where there is less.
 */

const mib = 1024 ** 2
const ampleBytes = 2048 * mib
/** What the service takes while it does nothing, with some room. */
const idleBytes = 256 * mib

/** Of the machine, or of the container: its control group. */
function memoryBytes(): number {
  // Zero where it cannot be known.
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
}

/**
 * As much of an amount as this process may use: all of it with two gibibytes of memory, and with less in proportion to
 * what is left for requests, but at least a twentieth.
 */
export function scaleToMemory(amount: number, memory = memoryBytes()): number {
  const share = (memory - idleBytes) / (ampleBytes - idleBytes)
  return Math.ceil(amount * Math.min(1, Math.max(share, 1 / 20)))
}
