/*
 * The kind of a span. Any value is accepted and shown unchanged; these are the ones that counts, filters
 * and evaluators use.
 */

export type WellKnownKind =
  | 'agent'
  | 'llm'
  | 'tool'
  | 'function'
  | 'retriever'
  | 'embedding'
  | 'reranker'
  | 'chain'
  | 'guardrail'
  | 'evaluator'
  | 'mcp'
  | 'memory'
