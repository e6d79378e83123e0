import type { SpanHead } from './span.ts'

/** A `tool` span, or a tool call over MCP. */
export function isToolCall({ kind, name }: Pick<SpanHead, 'kind' | 'name'>): boolean {
  return kind === 'tool' || (kind === 'mcp' && !nonToolMcpMethod.test(name))
}

// MCP requests that call no tool, by the span names of OpenTelemetry, the MCP SDKs and OpenLLMetry.
const nonToolMcpMethod =
  /^(?:MCP send )?(?:initialize|ping|tools\/list|(?:resources|prompts|notifications|completion|logging|roots|sampling|elicitation|server|tasks|subscriptions)\/[^\s.]+)(?: |\.mcp$|$)/

/**
 * Whether a tool span within `outer`, its parent, is the same call under the name of another instrumentation:
 * `execute_tool get_weather` in `weather.get_weather`. Equal names are those of a tool that calls itself.
 */
export function isSameToolCall(
  outer: Pick<SpanHead, 'kind' | 'name'>,
  inner: Pick<SpanHead, 'kind' | 'name'>,
): boolean {
  if (outer.kind !== 'tool' || inner.kind !== 'tool' || outer.name === inner.name) return false
  const name = toolName(inner.name)
  const outerName = toolName(outer.name)
  return outerName === name || outerName.endsWith(`.${name}`)
}

/** `get_weather` from `execute_tool get_weather`, `tools/call get_weather` and `get_weather.tool`. */
export function toolName(name: string): string {
  return name.replace(/^(?:execute_tool|(?:MCP send )?tools\/call) /, '').replace(/\.tool$/, '')
}
