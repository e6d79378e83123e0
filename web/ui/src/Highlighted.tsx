interface Props {
  readonly text: string
  readonly wanted: string
}

/** Text with the first occurrence of what was searched marked, any case. */
export function Highlighted({ text, wanted }: Props) {
  const at = wanted === '' ? -1 : text.toLowerCase().indexOf(wanted.toLowerCase())
  if (at === -1) return text
  const end = at + wanted.length
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, end)}</mark>
      {text.slice(end)}
    </>
  )
}
