import { TwoLines } from './TwoLines.tsx'

interface Props {
  readonly name: string
  readonly email: string
  readonly isSelf: boolean
}

/** A person in a table. */
export function PersonName({ name, email, isSelf }: Props) {
  return (
    <TwoLines below={email}>
      {name}
      {isSelf && <span className="dimmed"> (you)</span>}
    </TwoLines>
  )
}
