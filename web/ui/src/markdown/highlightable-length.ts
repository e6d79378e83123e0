/** Longer code stays plain: its parts would take too long to render. */
export const highlightedMax = 20_000

const firstLength = 200
const growth = 1.25

/**
 * How much of a code, from its beginning, is highlighted. While the code is written, this grows in steps of a quarter, at
 * ends of lines: each step highlights everything again, which costs too much for every token.
 */
export function highlightableLength(code: string, isOpen: boolean): number {
  if (code.length > highlightedMax) return 0
  if (!isOpen) return code.length
  if (code.length < firstLength) return 0
  const steps = Math.floor(Math.log(code.length / firstLength) / Math.log(growth))
  return code.lastIndexOf('\n', Math.floor(firstLength * growth ** steps)) + 1
}
