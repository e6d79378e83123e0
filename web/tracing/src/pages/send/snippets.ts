import { codingAgentSnippets } from './coding-agent-snippets.ts'
import { manualSnippets } from './manual-snippets.ts'
import { pythonSnippets } from './python-snippets.ts'
import type { Snippet } from './snippet.ts'

/** The snippets for a service at `origin`, with `key` filled in. */
export function snippetsFor(origin: string, key: string): readonly Snippet[] {
  const at = { origin, key }
  return [...manualSnippets(at), ...pythonSnippets(at), ...codingAgentSnippets(at)]
}
