import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'

/** Replaces a page that the person may not open: why, and who can change that. */
export function AccessDenied({ children }: { readonly children: ReactNode }) {
  return (
    <EmptyState isPage icon={<IconLock size={20} stroke={1.75} />} title="No access to this page">
      {children}
    </EmptyState>
  )
}
