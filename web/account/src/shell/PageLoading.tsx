import { Loader } from '@mantine/core'

export function PageLoading() {
  return (
    <div
      role="status"
      aria-label="Loading"
      style={{ display: 'grid', placeItems: 'center', height: '60vh' }}
    >
      <Loader size="sm" />
    </div>
  )
}
