/*
 * Which traces a page has: those of agents in use, simulations with the recorded calls of judges, or both.
 */

/** In the URL; `live` is the default. */
export const traceModes = ['live', 'simulation', 'all'] as const
export type TraceMode = (typeof traceModes)[number]

/** The filter of the API, which has all traces by default. */
export function toModeFilter(mode: TraceMode = 'live'): {
  readonly mode?: Exclude<TraceMode, 'all'>
} {
  return mode === 'all' ? {} : { mode }
}

/** Undefined for the default, which is not in the URL. */
export function toModeParam(mode: string): Exclude<TraceMode, 'live'> | undefined {
  return mode === 'simulation' || mode === 'all' ? mode : undefined
}

/** For the list that has the trace. */
export function toListSearch({ mode }: { readonly mode: Exclude<TraceMode, 'all'> }): {
  readonly mode?: 'simulation'
} {
  return mode === 'simulation' ? { mode } : {}
}

export const modeLabels = { live: 'live', simulation: 'simulated' } as const
