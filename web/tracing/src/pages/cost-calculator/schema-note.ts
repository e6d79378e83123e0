/** Describes how the definition of a tool is read: as a JSON Schema if it is JSON, else as text. */
export function schemaNote(content: string): string {
  const text = content.trim()
  if (text === '') return 'Optional. A JSON Schema, or any text that the model reads.'
  if (!/^[{[]/.test(text)) return 'Counted as text. Start with { for a JSON Schema.'
  try {
    JSON.parse(text)
    return 'Counted as a JSON Schema.'
  } catch (error) {
    const reason = error instanceof Error ? error.message : ''
    return `Not valid JSON, so counted as text. ${reason}`
  }
}
