import { limits } from '@assay/contract/limits.ts'
import { Failure } from '../../../platform/failure.ts'

/*
 * How much one request may hold. Both encodings can say a great deal in few bytes, and what they say is
 * counted while it is read, before it takes memory.
 */

/** Lists and objects within an attribute's value; what is nested deeper is left out. */
export const maxValueDepth = limits.jsonDepth.value

export const tooDeepValue = `A value nests deeper than ${maxValueDepth} levels and was cut there`

export const tooManySpans = () => tooMany(limits.otlpSpans)

export const tooManyRecords = () => tooMany(limits.otlpRecords)

export const tooManyItems = () => tooMany(limits.otlpItems)

function tooMany({ value, unit }: { readonly value: number; readonly unit: string }): Failure {
  return new Failure('VALIDATION_ERROR', `The OTLP payload holds more than ${value} ${unit}.`)
}
