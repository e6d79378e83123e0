import type { Convention } from './convention.ts'

/*
 * Semantic Kernel uses OpenTelemetry GenAI and adds its function-calling loop.
 */

export const semanticKernel: Convention = {
  title: 'Semantic Kernel',
  about:
    'OpenTelemetry GenAI, with content in log records or events. Its function-calling loop is a chain.',
  prefixes: ['sk.available_functions'],
  keys: {},
  kind: () => 'chain',
}
