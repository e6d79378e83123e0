/*
 * The list of span kinds with their colors, used everywhere. Any other text is also a valid kind.
 */

export interface Kind {
  /** A color of the theme; the shade follows the color scheme. */
  readonly color: string
  readonly label: string
}

export const kinds = {
  agent: { color: 'violet', label: 'Agent' },
  llm: { color: 'blue', label: 'LLM call' },
  tool: { color: 'orange', label: 'Tool' },
  function: { color: 'gray', label: 'Function' },
  retriever: { color: 'teal', label: 'Retriever' },
  embedding: { color: 'cyan', label: 'Embedding' },
  reranker: { color: 'lime', label: 'Reranker' },
  chain: { color: 'indigo', label: 'Chain' },
  guardrail: { color: 'yellow', label: 'Guardrail' },
  evaluator: { color: 'green', label: 'Evaluator' },
  mcp: { color: 'grape', label: 'MCP' },
  memory: { color: 'pink', label: 'Memory' },
} as const satisfies Readonly<Record<string, Kind>>

export type WellKnownKind = keyof typeof kinds

export function isWellKnown(kind: string): kind is WellKnownKind {
  return Object.hasOwn(kinds, kind)
}

/** The label and color of a kind; any other has a neutral color and, except for a plain span, its own name. */
export function toKind(kind: string): Kind {
  return isWellKnown(kind) ? kinds[kind] : { color: 'gray', label: kind === 'span' ? 'Span' : kind }
}

/** The CSS color of a kind, readable as a bar or an icon in both color schemes. */
export function kindColor(kind: string): string {
  return `var(--kind-${toKind(kind).color})`
}
