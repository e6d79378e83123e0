/*
 * A snippet to send a first trace. It takes as few steps as its tool allows, and sends one trace.
 */

export interface Snippet {
  readonly id: string
  readonly title: string
  /** A description, with requirements. */
  readonly lead: string
  /** What our tests do: run the snippet as it is, read recorded requests of this client, or neither. */
  readonly tested: 'run' | 'recorded' | 'no'
  readonly steps: readonly Step[]
}

export interface Step {
  readonly label: string
  readonly text: string
}

export interface Target {
  readonly origin: string
  readonly key: string
}

/** Used while no key is available. */
export const keyPlaceholder = '<your tracing key>'

export function exporterVariables({ origin, key }: Target): string {
  return `export OTEL_EXPORTER_OTLP_ENDPOINT="${origin}/api"
export OTEL_EXPORTER_OTLP_HEADERS="x-tracing-key=${key}"`
}
