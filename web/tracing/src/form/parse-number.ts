/** A number with a decimal point or comma, also of dollars; null for empty text, NaN for anything else. */
export function parseNumber(text: string): number | null {
  const typed = text.trim().replace(/^\$/, '').replace(',', '.')
  if (typed === '') return null
  return /^-?\d*\.?\d+$|^-?\d+\.$/.test(typed) ? Number(typed) : Number.NaN
}
