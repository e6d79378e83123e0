import { type Member, membersOf, toContainer } from './json-members.ts'
import { wholeCharacters } from './text-blocks.ts'

/*
 * What a collapsed array or object contains, in a line.
 */

const maxCharacters = 80
const maxTextCharacters = 24
const maxMembers = 8

/** The first members with their values, as far as they fit: `id: 7, name: "Lamp", lines: […]`. */
export function jsonPreview(value: object): string {
  const shown: string[] = []
  let length = 0
  for (const member of membersOf('', value)) {
    const text = formatMember(member)
    if (shown.length === maxMembers || length + text.length > maxCharacters) {
      return [...shown, '…'].join(', ')
    }
    shown.push(text)
    length += text.length + 2
  }
  return shown.join(', ')
}

function formatMember({ name, value }: Member): string {
  const text = formatValue(value)
  return name === undefined ? text : `${shortened(name)}: ${text}`
}

function formatValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(shortened(value))
  const container = toContainer(value)
  if (container === undefined) return JSON.stringify(value)
  const more = container.size === 0 ? '' : '…'
  return container.isArray ? `[${more}]` : `{${more}}`
}

function shortened(text: string): string {
  if (text.length <= maxTextCharacters) return text
  return `${text.slice(0, wholeCharacters(text, maxTextCharacters))}…`
}
