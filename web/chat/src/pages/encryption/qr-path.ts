/** An SVG path of the dark modules of a QR code: a rectangle for each run in a row. */
export function toQrPath(modules: readonly (readonly boolean[])[]): string {
  return modules
    .flatMap((row, y) => toRuns(row).map(([x, n]) => `M${x} ${y}h${n}v1h-${n}z`))
    .join('')
}

/** Start and length. */
function toRuns(row: readonly boolean[]): (readonly [number, number])[] {
  const text = row.map((isDark) => (isDark ? '1' : '0')).join('')
  return [...text.matchAll(/1+/g)].map(({ index, 0: run }) => [index, run.length])
}
