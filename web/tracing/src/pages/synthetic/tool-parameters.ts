/** A parameter of a tool, from the JSON Schema of all of them. */
export interface Parameter {
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  readonly description: string
  readonly values: readonly string[]
}

/** Anything that is not in the form of a schema is left out. */
export function listParameters(schema: Readonly<Record<string, unknown>>): readonly Parameter[] {
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : []
  return Object.entries(toObject(schema['properties'])).map(([name, value]) => {
    const { type, description, enum: values } = toObject(value)
    return {
      ...{ name, isRequired: required.includes(name) },
      type: typeof type === 'string' ? type : 'any',
      description: typeof description === 'string' ? description : '',
      values: Array.isArray(values) ? values.map(String) : [],
    }
  })
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
