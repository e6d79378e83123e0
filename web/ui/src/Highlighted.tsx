interface Props {
  readonly text: string
  readonly searchText: string
}

/** Text with the first match of a search highlighted, case-insensitive. */
export function Highlighted({ text, searchText }: Props) {
  const at = searchText === '' ? -1 : text.toLowerCase().indexOf(searchText.toLowerCase())
  if (at === -1) return text
  const end = at + searchText.length
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, end)}</mark>
      {text.slice(end)}
    </>
  )
}
