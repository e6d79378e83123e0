import type { ErrorCode } from '@assay/contract/errors.ts'

/*
 * The messages between the pool and its worker threads.
 */

/** A kind of work, by its name. */
export interface Work<Input, Output> {
  readonly name: string
  /** Only for the compiler: the types of input and output. */
  readonly signature?: (input: Input) => Output
}

export interface Task {
  readonly id: number
  readonly work: string
  readonly input: unknown
}

export type Outcome = Result & {
  readonly id: number
  /** The time that the task took of its thread. */
  readonly costMs: number
}

export type Result =
  | { readonly output: unknown }
  /** A refusal the caller is meant to see: the parts of a Failure. */
  | { readonly refusal: Refusal }
  | { readonly defect: Error }

export interface Refusal {
  readonly code: ErrorCode
  readonly message: string
  readonly status: number
  readonly details: Readonly<Record<string, unknown>>
  readonly rejectedSpans: number
}

/** The buffers to transfer. A buffer with more than these bytes is shared with others and left out. */
export function transferable(parts: readonly Uint8Array<ArrayBuffer>[]): ArrayBuffer[] {
  const own = parts.filter(
    ({ buffer, byteLength }) => byteLength > 0 && byteLength === buffer.byteLength,
  )
  return [...new Set(own.map(({ buffer }) => buffer))]
}
