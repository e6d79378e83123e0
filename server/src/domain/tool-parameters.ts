/*
 * The parameters of a tool of an agent, from the text that describes it.
 */

export type ParameterSchema = Readonly<Record<string, unknown>>

export function isSchema(value: unknown): value is ParameterSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The JSON Schema itself, or that of a whole function as providers describe one; undefined if the text has none. */
export function parseParameters(content: string): ParameterSchema | undefined {
  const parsed = parse(content)
  if (!isSchema(parsed)) return undefined
  const whole = isSchema(parsed['function']) ? parsed['function'] : parsed
  for (const key of ['parameters', 'input_schema', 'inputSchema']) {
    if (isSchema(whole[key])) return whole[key]
  }
  return 'type' in whole || 'properties' in whole ? whole : undefined
}

function parse(content: string): unknown {
  if (!content.trimStart().startsWith('{')) return undefined
  try {
    return JSON.parse(content)
  } catch {
    return undefined
  }
}
