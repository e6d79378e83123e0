import { limits } from '@assay/contract/limits.ts'
import type { Trace } from '@assay/contract/traces.ts'
import { formatUtc } from '@assay/ui/time-format.ts'

type Labeled = Pick<Trace, 'models' | 'root_name' | 'trace_id' | 'started_at'>

/**
 * Two different labels: the models, if each trace used one, otherwise the names of the traces, with their start if
 * necessary.
 */
export function labelTraces(a: Labeled, b: Labeled): readonly [a: string, b: string] {
  for (const toLabel of [modelOf, nameOf, datedNameOf]) {
    const [ofA, ofB] = [toLabel(a), toLabel(b)]
    if (ofA !== undefined && ofB !== undefined && ofA !== ofB) return [ofA, ofB]
  }
  return ['Trace A', 'Trace B']
}

function modelOf({ models }: Labeled): string | undefined {
  return models.length === 1 ? models[0] : undefined
}

/** Leaves room for the start. */
const nameMax = limits.modelLength.value - 64

function nameOf({ root_name, trace_id }: Labeled): string {
  return (root_name || trace_id).slice(0, nameMax).toWellFormed()
}

function datedNameOf(trace: Labeled): string {
  return `${nameOf(trace)}, ${formatUtc(trace.started_at)}`
}
