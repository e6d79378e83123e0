import { ActionIcon } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'

interface Props {
  readonly isLoading: boolean
  readonly onRefresh: () => void
}

export function RefreshButton({ isLoading, onRefresh }: Props) {
  return (
    <ActionIcon
      variant="default"
      size={30}
      aria-label="Refresh"
      title="Refresh"
      loading={isLoading}
      onClick={onRefresh}
    >
      <IconRefresh size={15} stroke={1.75} />
    </ActionIcon>
  )
}
