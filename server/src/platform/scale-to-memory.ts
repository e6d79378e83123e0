import { totalmem } from 'node:os'

/*
 * Limits of queues, caches, heaps and bodies are written for two gibibytes of memory, and lowered where there is less.
 */

const mib = 1024 ** 2
const ampleBytes = 2048 * mib
/** What the service takes while it does nothing, with some room. */
const idleBytes = 256 * mib

/** Of the machine, or of the container: its control group. */
export function memoryBytes(): number {
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

const scaledJsonBytesMin = 4 * mib

/**
 * The largest JSON body that is accepted where `declared` bytes are with two gibibytes of memory: what JSON.parse makes
 * of 32 MiB of short fields takes half a gigabyte.
 */
export function jsonBytesMax(declared: number, memory = memoryBytes()): number {
  return Math.min(declared, Math.max(scaleToMemory(declared, memory), scaledJsonBytesMin))
}
