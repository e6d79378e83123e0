import { countOf } from '@assay/ui/count-of.ts'

/*
 * Why no model is listed.
 */

interface Coverage {
  readonly trace_count: number
  /** Whether all traces of the time range were examined. */
  readonly is_complete: boolean
}

/** The title and text of an empty list for a time range such as `Last 7 days`. */
export function describeNoModelCalls(range: string, { trace_count, is_complete }: Coverage) {
  if (is_complete) {
    return {
      title: 'No model calls',
      text: `No span of the ${range.toLowerCase()} has a model. Calls with a model and token counts get a cost when they arrive.`,
    }
  }
  return {
    title: `No model calls among the newest ${countOf(trace_count, 'trace')}`,
    text: `Only these of the ${range.toLowerCase()} were examined. The trace list can search the others for model calls.`,
  }
}
