import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'

interface Props {
  readonly isError: boolean
  readonly word: string
}

/** A status as an icon and a word, so that color is never the only indicator. */
export function StatusMark({ isError, word }: Props) {
  const Icon = isError ? IconAlertTriangle : IconCircleCheck
  return (
    <span
      style={{
        display: 'inline-flex',
        alignItems: 'center',
        gap: 5,
        whiteSpace: 'nowrap',
        verticalAlign: 'middle',
        color: isError ? 'var(--bad)' : 'var(--mantine-color-dimmed)',
        fontWeight: isError ? 600 : 400,
      }}
    >
      <Icon
        size={15}
        stroke={1.75}
        aria-hidden
        style={{ color: isError ? 'var(--bad)' : 'var(--good)' }}
      />
      {word}
    </span>
  )
}
