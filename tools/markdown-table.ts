/** A table in Markdown; cells may hold anything. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cellText).join(' | ')} |`
  return [line(heads), line(heads.map(() => '-')), ...rows.map(line)].join('\n')
}

function cellText(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
