import type { Convention } from './convention.ts'

/*
 * Semantic Kernel speaks OpenTelemetry GenAI; only the loop in which it calls functions is its own.
 */

export const semanticKernel: Convention = {
  title: 'Semantic Kernel',
  about:
    'OpenTelemetry GenAI, with content in log records or events. Its function-calling loop is a chain.',
  prefixes: ['sk.available_functions'],
  keys: {},
  kind: () => 'chain',
}
