/*
 * The title that a conversation has before, or without, one that a model wrote.
 */

const lengthMax = 60

/** The first words of a message: whole ones, unless the first is too long. */
export function firstTitle(message: string): string {
  const words = toTitleLine(message.slice(0, 1000))
  if (words === '') return 'New conversation'
  if (words.length <= lengthMax) return words
  const cut = words.slice(0, lengthMax + 1)
  const end = cut.lastIndexOf(' ')
  return `${cut.slice(0, end > 0 ? end : lengthMax).toWellFormed()}…`
}

/** What a model wrote as a title; undefined if it is not one. */
export function readTitle(written: string): string | undefined {
  // Trimming takes time with the square of the length, and anybody can configure a provider.
  const line = written.trim().slice(0, writtenMax).split('\n', 1)[0] ?? ''
  const title = toTitleLine(line)
    .replaceAll(/^["“”'*#\s]+|["“”'*.\s]+$/g, '')
    .toWellFormed()
  return title === '' || title.length > lengthMax + 20 ? undefined : title
}

const writtenMax = 1000

/** One line without control characters and marks of direction. */
function toTitleLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .replaceAll(/[\p{Bidi_Control}\p{Cs}]/gu, '')
    .trim()
}
