import { limits } from '@assay/contract/limits.ts'
import { Failure } from '../../../platform/failure.ts'

/*
 * Limits on the content of one request. In both encodings a few bytes can expand to many items, so items
 * are counted while they are read, before they take memory.
 */

/** Nesting of lists and objects within an attribute's value; deeper values are dropped. */
export const maxValueDepth = limits.jsonDepth.value

export const tooDeepValue = `A value nests deeper than ${maxValueDepth} levels and was cut there`

export const tooManySpans = () => tooMany(limits.otlpSpans)

export const tooManyRecords = () => tooMany(limits.otlpRecords)

export const tooManyItems = () => tooMany(limits.otlpItems)

function tooMany({ value, unit }: { readonly value: number; readonly unit: string }): Failure {
  return new Failure('VALIDATION_ERROR', `The OTLP payload has more than ${value} ${unit}.`)
}
