import type { OtlpBody } from '../../http/call.ts'
import type { PackedRequest } from './pack-request.ts'

/*
 * What the intake and its thread say to each other.
 */

export interface IntakeTask {
  readonly id: number
  readonly body: OtlpBody
}

export type IntakeResult =
  | { readonly id: number; readonly packed: PackedRequest }
  /** A refusal: VALIDATION_ERROR with its usual status is all there is. */
  | { readonly id: number; readonly refusal: string }
  | { readonly id: number; readonly defect: Error }

/** The buffers to hand over. A buffer that holds more than these bytes belongs to others too and is left out. */
export function transferable(parts: readonly Uint8Array<ArrayBuffer>[]): ArrayBuffer[] {
  const own = parts.filter(
    ({ buffer, byteLength }) => byteLength > 0 && byteLength === buffer.byteLength,
  )
  return [...new Set(own.map(({ buffer }) => buffer))]
}
