/*
 * Why an evaluator without a labeled set was not measured.
 */

const recorded = 'It compares recorded values and estimates nothing.'
const configured = 'It checks what the trace itself expects and estimates nothing.'
const noData =
  'No labeled data with a usable license was found. Tests cover the cases that its description names.'

export const unmeasured: Readonly<Record<string, string>> = {
  'quality.output-present': noData,
  'quality.not-truncated': recorded,
  'quality.reference-match': noData,
  'quality.no-degeneration': noData,
  'agent.tool-success': noData,
  'agent.no-loops': noData,
  'agent.no-redundant-calls': recorded,
  'agent.error-recovery': noData,
  'agent.clean-finish': recorded,
  'safety.injection-not-obeyed': noData,
  'safety.system-prompt-kept': noData,
  'mcp.tool-definitions': noData,
  'mcp.protocol-conformance': recorded,
  'mcp.tool-poisoning': noData,
  'mcp.approval-before-effects': noData,
  'memory.fresh-reads': recorded,
  'memory.context-headroom': recorded,
  'memory.recall-used': noData,
  'hallucination.links-real': noData,
  'bias.counterfactual-gap': noData,
  'privacy.minimal-egress': noData,
  'faithfulness.citations-valid': noData,
  'performance.latency': recorded,
  'performance.cost': recorded,
  'performance.error-rate': recorded,
  'custom.trace-assertions': configured,
}
