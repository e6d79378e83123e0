/*
 * Whether a thread makes progress. Other threads can read it while a call of the thread to the operating system does not
 * return: the thread writes to shared memory when it began its current operation.
 */

export interface Heartbeat {
  /** An operation begins; the one before has ended. */
  begin(): void
  /** The last operation has ended. */
  rest(): void
  /** How long the current operation has taken; 0 while there is none. */
  operationMs(): number
}

export const heartbeatBytes = BigInt64Array.BYTES_PER_ELEMENT

/** One for each thread, on the same memory. `now` returns nanoseconds on a clock that the threads share. */
export function openHeartbeat(
  memory: SharedArrayBuffer,
  now: () => bigint = process.hrtime.bigint,
): Heartbeat {
  const beganAt = new BigInt64Array(memory)
  const none = 0n
  return {
    begin: () => void Atomics.store(beganAt, 0, now()),
    rest: () => void Atomics.store(beganAt, 0, none),
    operationMs() {
      const began = Atomics.load(beganAt, 0)
      return began === none ? 0 : Number(now() - began) / 1_000_000
    },
  }
}

/**
 * Whether no operation of the thread hangs, for a thread that watches it. `onChange` is called when the result
 * differs from the one before.
 */
export function watchHeartbeat(
  memory: SharedArrayBuffer,
  hangingAfterMs: number,
  onChange: (isResponding: boolean) => void,
): () => boolean {
  const heartbeat = openHeartbeat(memory)
  let before = true
  return () => {
    const isResponding = heartbeat.operationMs() < hangingAfterMs
    if (isResponding !== before) onChange(isResponding)
    before = isResponding
    return isResponding
  }
}
