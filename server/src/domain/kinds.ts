/*
 * What a span stands for. Any word is accepted and shown as it is; these are the ones that counts, filters
 * and evaluators know.
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
