import { waitForUpdate } from '@pydantic/genai-prices'

/*
 * How many tokens models read at once, from the list bundled with genai-prices, never fetched.
 */

// Resolves at once with the bundled data: fetching is not configured.
const providers = (await waitForUpdate()) ?? []

/** By the name of the model in lower case. Where sellers differ, the largest, so that no alarm is false. */
const windows = new Map<string, number>()
for (const { models } of providers) {
  for (const { id, context_window: window } of models) {
    const name = plainName(id)
    if (window !== undefined) windows.set(name, Math.max(window, windows.get(name) ?? 0))
  }
}

/** Undefined for a model that is not listed. */
export function findWindow(model: string): number | undefined {
  const name = plainName(model.slice(0, 200))
  return windows.get(name) ?? windows.get(name.replace(versionAtEnd, ''))
}

/** Dates and aliases after the name: `-20250929`, `-2024-08-06`, `-latest`, `-001`, `-v1:0`. */
const versionAtEnd = /(?:[-@](?:\d{8}|\d{4}-\d\d-\d\d|\d{3,4}|latest))?(?:-v\d)?(?::\w{1,10})?$/

/** Without the seller or vendor: `openai/gpt-5`, `models/gemini-3-flash`, `us.anthropic.claude-opus-5`. */
function plainName(model: string): string {
  const name = model.toLowerCase()
  return name
    .slice(name.lastIndexOf('/') + 1)
    .replace(/^(?:[a-z]{2,6}\.)?[a-z]{3,12}\.(?=[a-z])/, '')
}
