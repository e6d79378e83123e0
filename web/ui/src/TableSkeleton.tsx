import { Skeleton } from '@mantine/core'

interface Props {
  readonly rows: number
  readonly rowHeightPx?: number
}

const widths = ['72%', '64%', '80%', '58%', '69%', '75%']

/** Placeholder rows while loading. */
export function TableSkeleton({ rows, rowHeightPx = 36 }: Props) {
  return (
    <div role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, at) => (
        <div
          // The rows are identical and never reordered.
          key={at}
          style={{
            height: rowHeightPx,
            display: 'flex',
            alignItems: 'center',
            padding: '0 12px',
            borderBottom: '1px solid var(--line)',
          }}
        >
          <Skeleton height={10} radius="xl" width={widths[at % widths.length] ?? '70%'} />
        </div>
      ))}
    </div>
  )
}
