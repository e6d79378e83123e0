import { CopyButton } from '@assay/ui/CopyButton.tsx'

interface Props {
  readonly name: string
  readonly value: string
}

/** A value to copy, in a list of facts. */
export function CopyFact({ name, value }: Props) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <code>{value}</code>
        <CopyButton text={value} label={`Copy: ${name}`} />
      </dd>
    </>
  )
}
